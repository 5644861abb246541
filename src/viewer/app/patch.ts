import type { PatchOperation } from './api.ts';

type Container = unknown[] | Record<string, unknown>;

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

function locate(root: unknown, pointer: string): { parent: Container; key: string } {
  const tokens = pointer.split('/').slice(1).map(unescapeToken);
  const key = tokens.pop();
  let parent = root;
  for (const token of tokens)
    parent = isContainer(parent) && Object.hasOwn(parent, token) ? Reflect.get(parent, token) : undefined;
  if (key === undefined || !isContainer(parent)) throw new Error(`The place ${pointer} is not in the plan.`);
  return { parent, key };
}

function get(root: unknown, pointer: string): unknown {
  if (pointer === '') return root;
  const { parent, key } = locate(root, pointer);
  if (!Object.hasOwn(parent, key)) throw new Error(`The place ${pointer} is not in the plan.`);
  return Reflect.get(parent, key);
}

function add(root: unknown, pointer: string, value: unknown): void {
  const { parent, key } = locate(root, pointer);
  if (Array.isArray(parent)) parent.splice(key === '-' ? parent.length : Number(key), 0, value);
  else Object.defineProperty(parent, key, { value, enumerable: true, writable: true, configurable: true });
}

function remove(root: unknown, pointer: string): void {
  get(root, pointer);
  const { parent, key } = locate(root, pointer);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
}

/**
 * A plan with a fix of the validator applied (RFC 6902: add, remove, replace, move, copy, test). The plan given stays as it is.
 * @throws Error when a place is missing or a `test` does not hold
 */
export function applyPatch(plan: unknown, operations: readonly PatchOperation[]): unknown {
  const copy: unknown = structuredClone(plan);
  for (const { op, path, from = '', value } of operations) {
    if (op === 'add') add(copy, path, structuredClone(value));
    else if (op === 'remove') remove(copy, path);
    else if (op === 'replace') {
      remove(copy, path);
      add(copy, path, structuredClone(value));
    } else if (op === 'move') {
      const moved = get(copy, from);
      remove(copy, from);
      add(copy, path, moved);
    } else if (op === 'copy') add(copy, path, structuredClone(get(copy, from)));
    else if (op === 'test') {
      if (JSON.stringify(get(copy, path)) !== JSON.stringify(value))
        throw new Error(`The plan has changed at ${path}.`);
    } else throw new Error(`The operation "${op}" is not known.`);
  }
  return copy;
}
