import type { JsonValue } from './types.ts';

/**
 * Whether two JSON values are equal, as RFC 8785 would write them: the order of members does not matter, nothing is
 * coerced (`1` is not `"1"`). Does not recurse, whatever the depth.
 */
export function deepEqual(left: JsonValue, right: JsonValue): boolean {
  const stack: (readonly [JsonValue | undefined, JsonValue | undefined])[] = [[left, right]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      stack.push([(a as Record<string, JsonValue>)[key], (b as Record<string, JsonValue>)[key]]);
    }
  }
  return true;
}
