/**
 * The one codec at every boundary (I8, O-12): activity inputs and results, event payloads, custom status, ledger JSON.
 * It refuses what JSON would silently change, here and with the path, instead of inside the engine.
 */
import { ToolError } from './errors.ts';
import { pointer } from './pointer.ts';

/** Largest activity result (I8). */
export const MAX_RESULT_BYTES = 2 * 1024;
/** Deeper values are refused: `JSON.stringify` and replays recurse. */
const MAX_DEPTH = 100;

export interface EncodingProblem {
  readonly code: 'NOT_ENCODABLE' | 'RESULT_TOO_LARGE';
  /** JSON pointer of the value at fault; `""` for the whole. */
  readonly path: string;
  readonly message: string;
}

type Path = readonly (string | number)[];

/** Why this one value (without its members) would not come back as it is; `undefined` when it would. */
function changedByJson(value: unknown): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return undefined;
    case 'string':
      return value.isWellFormed() ? undefined : 'a lone surrogate';
    case 'number':
      if (!Number.isFinite(value)) return `${value}, which JSON turns into null`;
      return Object.is(value, -0) ? 'minus zero, which JSON turns into 0' : undefined;
    case 'undefined':
      return 'undefined, which JSON drops';
    case 'bigint':
      return 'a BigInt; carry long numbers as strings';
    case 'function':
    case 'symbol':
      return `a ${typeof value}`;
    case 'object':
      return value === null || Array.isArray(value) ? undefined : notPlain(value);
    default:
      return `a ${typeof value}`;
  }
}

function notPlain(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  const name = (prototype as { constructor?: { name?: unknown } }).constructor?.name;
  return `an object of class ${typeof name === 'string' && name !== '' ? name : 'unknown'}, which JSON would change`;
}

/** Members of an array or object, or why it has some that JSON would drop. */
function members(value: object): { readonly entries: [string | number, unknown][] } | { readonly problem: string } {
  const keys = Reflect.ownKeys(value);
  const isArray = Array.isArray(value);
  const entries: [string | number, unknown][] = [];
  for (const key of keys) {
    if (isArray && key === 'length') continue;
    if (typeof key === 'symbol') return { problem: 'a symbol as a key, which JSON drops' };
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined || !('value' in property) || property.enumerable !== true) {
      return { problem: `the property ${JSON.stringify(key)} is computed or hidden` };
    }
    if (key === '__proto__') return { problem: 'the key "__proto__"' };
    if (!key.isWellFormed()) return { problem: 'a key with a lone surrogate' };
    entries.push([isArray ? Number(key) : key, property.value]);
  }
  if (isArray && (entries.length !== value.length || entries.some(([key]) => !Number.isInteger(key)))) {
    return { problem: 'an array with holes or extra properties' };
  }
  return { entries };
}

/**
 * Checks that JSON carries `value` unchanged and in at most `maxBytes` UTF-8 bytes. Answers the first problem in
 * document order, or `undefined`. Shared parts are allowed, cycles are not.
 */
export function checkEncodable(value: unknown, maxBytes = Number.POSITIVE_INFINITY): EncodingProblem | undefined {
  const open = new Set<object>();
  // A frame is either a value to look at, or the mark that a container has been left.
  const stack: { readonly value: unknown; readonly path: Path; readonly leave?: true }[] = [{ value, path: [] }];
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { value: current, path } = frame;
    const problem = (what: string): EncodingProblem => ({
      code: 'NOT_ENCODABLE',
      path: pointer(...path),
      message: `${path.length === 0 ? 'the value' : pointer(...path)} is or holds ${what}`,
    });
    if (frame.leave === true) {
      open.delete(current as object);
      continue;
    }
    const changed = changedByJson(current);
    if (changed !== undefined) return problem(changed);
    if (typeof current !== 'object' || current === null) continue;
    if (open.has(current)) return problem('a cycle');
    if (path.length >= MAX_DEPTH) return problem(`values nested deeper than ${MAX_DEPTH} levels`);
    const inside = members(current);
    if ('problem' in inside) return problem(inside.problem);
    open.add(current);
    stack.push({ value: current, path, leave: true });
    for (const [key, member] of inside.entries.reverse()) stack.push({ value: member, path: [...path, key] });
  }
  return tooLarge(value, maxBytes);
}

function tooLarge(value: unknown, maxBytes: number): EncodingProblem | undefined {
  if (maxBytes === Number.POSITIVE_INFINITY) return undefined;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).byteLength;
  if (bytes <= maxBytes) return undefined;
  return {
    code: 'RESULT_TOO_LARGE',
    path: '',
    message: `the value has ${bytes} bytes as JSON, at most ${maxBytes} are allowed; store it as an artifact and pass its reference`,
  };
}

/** JSON text of a value that JSON carries unchanged. Throws `ToolError` NOT_ENCODABLE or RESULT_TOO_LARGE (permanent). */
export function encode(value: unknown, maxBytes = Number.POSITIVE_INFINITY): string {
  const problem = checkEncodable(value, maxBytes);
  if (problem !== undefined) throw new ToolError(problem.code, problem.message);
  return JSON.stringify(value);
}
