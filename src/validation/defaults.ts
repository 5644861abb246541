import { isLiteral, looksLikeReference } from '../plan/references.ts';
import type { JsonValue } from '../plan/types.ts';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The arguments with the defaults of the tool's schema written out, so that the approved plan shows them (O-30.3) and its
 * digest covers them. Objects inside are completed where they stand; nothing that is given is changed.
 */
export function fillDefaults(args: Readonly<Record<string, JsonValue>>, schema: Schema): Record<string, JsonValue> {
  const filled = new Map(Object.entries(args));
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isSchema(property)) continue;
    const given = filled.get(name);
    if (given === undefined) {
      if (Object.hasOwn(property, 'default')) filled.set(name, property['default'] as JsonValue);
    } else if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
      const isData = !looksLikeReference(given) && !isLiteral(given);
      if (isData && property['type'] === 'object') filled.set(name, fillDefaults(given, property));
    }
  }
  return Object.fromEntries(filled);
}
