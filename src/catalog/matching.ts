import type { PortType } from './portTypes.ts';
import type { InputPort, PortPattern } from './tool.ts';

/**
 * Whether a type fits a pattern: kind, role, `validated`, and a geometry that is not known to be another one.
 * Units and CRS are for the tool's `types` rule, which can say what to do about them.
 */
export function matches(pattern: PortPattern, type: PortType): boolean {
  if (pattern.kind !== type.kind) return false;
  switch (type.kind) {
    case 'observations':
      return pattern.validated !== true || type.validated;
    case 'features':
      return (
        (pattern.role === undefined || pattern.role === type.role) &&
        (pattern.geometry === undefined || type.geometry === null || pattern.geometry === type.geometry)
      );
    case 'raster':
      return pattern.role === undefined || pattern.role === type.role;
    default:
      return true;
  }
}

/** The first alternative of the port that the type fits. */
export function fits(port: InputPort, type: PortType): boolean {
  return port.accepts.some((pattern) => matches(pattern, type));
}

/** `observations (validated)`, `raster (rain)`: for messages. */
export function describePattern(pattern: PortPattern): string {
  const details = [
    ...(pattern.role === undefined ? [] : [pattern.role]),
    ...(pattern.validated === true ? ['validated'] : []),
    ...(pattern.geometry === undefined ? [] : [pattern.geometry]),
  ];
  return details.length === 0 ? pattern.kind : `${pattern.kind} (${details.join(', ')})`;
}

/** The same for a type as it stands in a plan. */
export function describeType(type: PortType): string {
  switch (type.kind) {
    case 'observations':
      return type.validated ? 'observations (validated)' : 'observations (not validated)';
    case 'features':
    case 'raster':
      return `${type.kind} (${type.role})`;
    default:
      return type.kind;
  }
}

export const describePort = (port: InputPort): string => port.accepts.map(describePattern).join(' or ');
