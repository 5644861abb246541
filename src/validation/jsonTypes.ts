import type { JsonValue } from '../plan/types.ts';

/** JSON type of a value, as schemas name it. */
export function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** JSON types of several values, unique and sorted. */
export const typesOfValues = (values: readonly JsonValue[]): readonly string[] =>
  [...new Set(values.map(typeOfValue))].sort();
