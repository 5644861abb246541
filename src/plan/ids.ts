/** Grammars of the names that people and planners may choose, and of those we build. */

const NODE_ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** What every storage provider and every URL can carry (O-08): run ids and the ids of child instances. */
const INSTANCE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * Property names of `Object.prototype` (O-34). Only those that the id grammar lets through matter; the list is written
 * out so that it is the same on every runtime.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  '__proto__',
]);

export const isNodeId = (text: string): boolean => NODE_ID.test(text);
/** A run id as it may stand in a URL; anything else is refused before any store is asked (O-08). */
export const isRunId = (text: string): boolean => RUN_ID.test(text);
export const isInstanceId = (text: string): boolean => INSTANCE_ID.test(text);
export const isReservedId = (text: string): boolean => RESERVED.has(text);

/** Ids are unique ignoring case, because a store or a file system may ignore it (O-35). ASCII only, so no locale. */
export const foldId = (id: string): string => id.toLowerCase();

/** The characters that the grammar refuses, as code points: `U+200B`; look-alikes and invisible ones become visible. */
export function foreignCodePoints(text: string): string[] {
  const found = new Set<string>();
  for (const character of text) {
    if (/^[A-Za-z0-9_-]$/.test(character)) continue;
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    found.add(`U+${point}`);
    if (found.size === 8) break;
  }
  return [...found];
}

/**
 * A node id made from `base` that no id in `taken` equals ignoring case: `base`, then `base-2`, `base-3` … The new id
 * is added to `taken` (folded). Deterministic: the same base and the same set give the same id.
 */
export function freshId(base: string, taken: Set<string>): string {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? '' : `-${n}`;
    const id = base.slice(0, 64 - suffix.length) + suffix;
    if (!taken.has(foldId(id)) && !isReservedId(id)) {
      taken.add(foldId(id));
      return id;
    }
  }
}
