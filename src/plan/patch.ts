/** RFC 6902 JSON Patch, pure: the document given is never changed. */
import { canonicalJson } from './canonical.ts';
import type { PatchOperation } from './finding.ts';
import { parsePointer } from './pointer.ts';
import { arrayIndex, stepIntoValue, walkPath } from './references.ts';
import type { JsonValue } from './types.ts';

export type PatchResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly index: number; readonly message: string };

/** Inside this file only: leaves the patch at the operation that cannot be applied. */
class Refused extends Error {}

type Container = JsonValue[] | { [key: string]: JsonValue };

interface Place {
  readonly parent: Container;
  readonly key: string;
}

function segmentsOf(path: string): string[] {
  const segments = parsePointer(path);
  if (segments === undefined) throw new Refused(`${JSON.stringify(path)} is no JSON pointer`);
  if (segments.includes('__proto__')) throw new Refused('the key "__proto__" is not allowed');
  return segments;
}

function place(document: JsonValue, path: string): Place {
  const segments = segmentsOf(path);
  const key = segments.pop();
  if (key === undefined) throw new Refused('the whole document has no parent');
  const walk = walkPath(document, segments, stepIntoValue);
  if (!walk.ok || typeof walk.at !== 'object' || walk.at === null) throw new Refused(`nothing holds ${path}`);
  return { parent: walk.at, key };
}

function read(document: JsonValue, path: string): JsonValue {
  const walk = walkPath(document, segmentsOf(path), stepIntoValue);
  if (!walk.ok) throw new Refused(`there is nothing at ${path}`);
  return walk.at;
}

function indexIn(parent: readonly JsonValue[], key: string, last: number): number {
  const index = key === '-' ? parent.length : arrayIndex(key);
  if (index === undefined || index > last) throw new Refused(`no place ${JSON.stringify(key)} in the list`);
  return index;
}

function add(document: JsonValue, path: string, value: JsonValue): JsonValue {
  if (path === '') return value;
  const { parent, key } = place(document, path);
  if (Array.isArray(parent)) parent.splice(indexIn(parent, key, parent.length), 0, value);
  else Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
  return document;
}

function remove(document: JsonValue, path: string): JsonValue {
  const { parent, key } = place(document, path);
  if (Array.isArray(parent)) parent.splice(indexIn(parent, key, parent.length - 1), 1);
  else if (!Object.hasOwn(parent, key)) throw new Refused(`there is nothing at ${path}`);
  else Reflect.deleteProperty(parent, key);
  return document;
}

function applyOne(document: JsonValue, operation: PatchOperation): JsonValue {
  switch (operation.op) {
    case 'add':
      return add(document, operation.path, structuredClone(operation.value));
    case 'remove':
      return remove(document, operation.path);
    case 'replace':
      read(document, operation.path);
      if (operation.path === '') return structuredClone(operation.value);
      return add(remove(document, operation.path), operation.path, structuredClone(operation.value));
    case 'test':
      if (canonicalJson(read(document, operation.path)) !== canonicalJson(operation.value)) {
        throw new Refused(`the value at ${operation.path} is another one`);
      }
      return document;
    case 'copy':
      return add(document, operation.path, structuredClone(read(document, operation.from)));
    case 'move': {
      if (operation.path === operation.from) return document;
      if (operation.path.startsWith(`${operation.from}/`)) throw new Refused('a value cannot move into itself');
      const value = read(document, operation.from);
      return add(remove(document, operation.from), operation.path, value);
    }
  }
}

/** Applies all operations in order, or none: the first that cannot be applied is named by its index. */
export function applyPatch(document: JsonValue, patch: readonly PatchOperation[]): PatchResult {
  let value = structuredClone(document);
  for (const [index, operation] of patch.entries()) {
    try {
      value = applyOne(value, operation);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { ok: false, index, message: error.message };
    }
  }
  return { ok: true, value };
}
