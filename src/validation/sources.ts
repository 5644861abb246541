import { parseSource } from '../catalog/source.ts';
import type { Finding } from '../plan/finding.ts';
import type { JsonValue } from '../plan/types.ts';
import type { ValidationContext } from './context.ts';
import { endpointIn } from './endpoints.ts';
import { nameHint, quote, refuse } from './findings.ts';

const HOST = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:\d+)?$/;

/** Checks one source argument whose value is known. URLs are found by the endpoint pass, here only host names. */
export function checkSource(value: JsonValue, path: string, nodeId: string, context: ValidationContext): Finding[] {
  const spec = parseSource(value);
  if (spec === undefined) {
    if (typeof value === 'string' && endpointIn(value) !== undefined) return [];
    if (typeof value === 'string' && HOST.test(value)) {
      const message = 'a source may not be a host; only configured connections are called';
      return [refuse('ENDPOINT_IN_PLAN', path, message, { nodeId, ...connectionHint('', context) })];
    }
    const message = 'a source is "sample", {"upload": "<sha256>"} or the name of a configured connection';
    return [refuse('INVALID_ARGUMENT', path, message, { nodeId })];
  }
  switch (spec.kind) {
    case 'sample':
      if (context.development) return [];
      return [
        refuse('SOURCE_REQUIRED', path, 'the synthetic sample is available in development only', {
          nodeId,
          hint: 'upload data and name it as {"upload": "<sha256>"}, or name a configured connection',
        }),
      ];
    case 'upload':
      if (context.uploads.has(spec.sha256)) return [];
      return [
        refuse('INVALID_ARGUMENT', path, `there is no upload ${spec.sha256} that you may read`, {
          nodeId,
          hint: 'POST /uploads answers the sha256 to name here',
        }),
      ];
    case 'connection':
      if (context.connections.has(spec.name)) return [];
      return [
        refuse('INVALID_ARGUMENT', path, `there is no configured connection ${quote(spec.name)}`, {
          nodeId,
          ...connectionHint(spec.name, context),
        }),
      ];
  }
}

const connectionHint = (name: string, context: ValidationContext): { readonly hint?: string } =>
  context.connections.size === 0
    ? { hint: 'no connection is configured; upload the data instead' }
    : nameHint(name, context.connections, 'connections');

/** The finding for an omitted source outside development. */
export const sourceRequired = (name: string, path: string, nodeId: string): Finding =>
  refuse('SOURCE_REQUIRED', path, `${quote(name)} is missing: say where the data comes from`, {
    nodeId,
    hint: 'upload data and name it as {"upload": "<sha256>"}, or name a configured connection',
  });
