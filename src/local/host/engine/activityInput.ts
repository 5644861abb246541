import type { TypedData } from '../core/loadApp.ts';

/**
 * What an activity handler is given for the stored input `[value]`: strings as JSON text, objects as JSON text,
 * numbers as text, a boolean as the .NET text "True" or "False" (Q25), null as nothing. All faithful to the engine.
 * @param stored JSON text of a list with one element
 */
export function activityInput(stored: string): TypedData {
  const list = JSON.parse(stored) as unknown;
  const value: unknown = Array.isArray(list) ? list[0] : null;
  if (value === null || value === undefined) return {};
  if (typeof value === 'string') return { string: value };
  if (typeof value === 'boolean') return { string: value ? 'True' : 'False' };
  return { string: JSON.stringify(value) };
}
