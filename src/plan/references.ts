/**
 * References inside a plan (contracts.md "Plan"): where they stand, what they name, and the one walk along their path
 * that validator (over schemas) and runtime (over values) share. No string is ever expanded: a reference is an object.
 */
import { isNodeId } from './ids.ts';
import { pointer } from './pointer.ts';
import type { JsonValue, Literal, Reference } from './types.ts';

export type ReferenceTarget =
  | { readonly kind: 'node'; readonly nodeId: string; readonly output: string; readonly path: readonly string[] }
  | { readonly kind: 'input'; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: 'item'; readonly path: readonly string[] }
  | { readonly kind: 'index' }
  | { readonly kind: 'output'; readonly name: string; readonly path: readonly string[] };

export interface FoundReference {
  /** JSON pointer of the `{ref}` object. */
  readonly pointer: string;
  readonly ref: string;
  readonly target: ReferenceTarget | undefined;
  readonly hasDefault: boolean;
}

const SEGMENT = /^[A-Za-z0-9_-]{1,128}$/;

const isPlainObject = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with a `ref` member is read as a reference, well formed or not; `{literal}` escapes it. */
export const looksLikeReference = (value: JsonValue): value is { [key: string]: JsonValue } =>
  isPlainObject(value) && Object.hasOwn(value, 'ref');

/** A reference, and nothing else: `ref` is text, beside it at most `default`. */
export function isReference(value: JsonValue): value is { [key: string]: JsonValue } & Reference {
  if (!looksLikeReference(value) || typeof value['ref'] !== 'string') return false;
  return Object.keys(value).every((key) => key === 'ref' || key === 'default');
}

/** `{literal: …}` alone: its value is data, whatever it looks like. */
export const isLiteral = (value: JsonValue): value is { [key: string]: JsonValue } & Literal =>
  isPlainObject(value) && Object.hasOwn(value, 'literal') && Object.keys(value).length === 1;

/** Parses the text of a reference; `undefined` when it follows none of the forms. */
export function parseReference(ref: string): ReferenceTarget | undefined {
  const [head = '', ...rest] = ref.split('.');
  if (!rest.every((segment) => SEGMENT.test(segment))) return undefined;
  const [first, ...path] = rest;
  switch (head) {
    case '$index':
      return rest.length === 0 ? { kind: 'index' } : undefined;
    case '$item':
      return { kind: 'item', path: rest };
    case '$inputs':
      return first === undefined ? undefined : { kind: 'input', name: first, path };
    case '$output':
      return first === undefined ? undefined : { kind: 'output', name: first, path };
    default:
      return isNodeId(head) && first !== undefined ? { kind: 'node', nodeId: head, output: first, path } : undefined;
  }
}

/**
 * Every reference in a template, wherever it stands, in document order. What is inside `{literal}` or a reference's
 * `default` is data and is not searched. `malformed` receives the pointers of objects with a `ref` that are none.
 */
export function collectReferences(
  template: JsonValue,
  base: readonly (string | number)[] = [],
  malformed?: (at: string) => void,
): FoundReference[] {
  const found: FoundReference[] = [];
  const stack: { readonly value: JsonValue; readonly path: readonly (string | number)[] }[] = [
    { value: template, path: base },
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (isReference(value)) {
      const at = pointer(...path);
      found.push({
        pointer: at,
        ref: value.ref,
        target: parseReference(value.ref),
        hasDefault: Object.hasOwn(value, 'default'),
      });
    } else if (looksLikeReference(value)) {
      malformed?.(pointer(...path));
    } else if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i -= 1) stack.push({ value: value[i] ?? null, path: [...path, i] });
    } else if (!isLiteral(value)) {
      const entries: [string, JsonValue][] = Object.entries(value);
      for (const [key, member] of entries.reverse()) stack.push({ value: member, path: [...path, key] });
    }
  }
  return found;
}

/** One step along a path; `undefined` when there is nothing of that name. */
export type Stepper<T> = (at: T, segment: string) => T | undefined;

/** Walks `path` from `start`; answers where it ended, or the segment at which nothing was found. */
export function walkPath<T>(
  start: T,
  path: readonly string[],
  step: Stepper<T>,
): { readonly ok: true; readonly at: T } | { readonly ok: false; readonly segment: string; readonly index: number } {
  let at = start;
  for (const [index, segment] of path.entries()) {
    const next = step(at, segment);
    if (next === undefined) return { ok: false, segment, index };
    at = next;
  }
  return { ok: true, at };
}

/** Array indexes are written in plain decimal; `length`, `-1` and `01` are none. */
export const arrayIndex = (segment: string): number | undefined =>
  /^(?:0|[1-9][0-9]{0,8})$/.test(segment) ? Number(segment) : undefined;

/** Step into a value: own properties of objects and elements of arrays, nothing inherited. */
export const stepIntoValue: Stepper<JsonValue> = (at, segment) => {
  if (typeof at !== 'object' || at === null) return undefined;
  if (Array.isArray(at)) {
    const index = arrayIndex(segment);
    return index === undefined ? undefined : at[index];
  }
  return Object.hasOwn(at, segment) ? at[segment] : undefined;
};
