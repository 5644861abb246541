import { isLiteral, isReference, parseReference, type ReferenceTarget } from './references.ts';
import type { JsonValue, Reference } from './types.ts';

/** A template whose references have been replaced, possibly by things that are no JSON (marks of unknown values). */
export type Substituted<T> =
  null | boolean | number | string | T | Substituted<T>[] | { [key: string]: Substituted<T> };

/**
 * Copy of a template with every `{literal}` unwrapped and every reference replaced by what `resolve` answers. What is
 * put in is never looked at again: data is never expanded a second time (design §2). Plans are at most 32 deep.
 */
export function substitute<T>(
  template: JsonValue,
  resolve: (
    reference: Reference,
    target: ReferenceTarget | undefined,
    path: readonly (string | number)[],
  ) => JsonValue | T,
  path: readonly (string | number)[] = [],
): Substituted<T> {
  if (typeof template !== 'object' || template === null) return template;
  if (isLiteral(template)) return template.literal;
  if (isReference(template)) return resolve(template, parseReference(template.ref), path);
  if (Array.isArray(template)) return template.map((item, i) => substitute(item, resolve, [...path, i]));
  const copy: { [key: string]: Substituted<T> } = {};
  for (const [key, member] of Object.entries(template)) {
    // An own property whatever the key is called.
    Object.defineProperty(copy, key, {
      value: substitute(member, resolve, [...path, key]),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}
