import type { JsonValue } from '../plan/types.ts';

/** Where data comes from (SRC of contracts.md): never an address, always something we know by name or digest. */
export type SourceSpec =
  | { readonly kind: 'sample' }
  | { readonly kind: 'upload'; readonly sha256: string }
  | { readonly kind: 'connection'; readonly name: string };

const SHA256 = /^[0-9a-f]{64}$/;
const CONNECTION = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Reads a source argument; `undefined` when it has none of the three forms. */
export function parseSource(value: JsonValue | undefined): SourceSpec | undefined {
  if (value === 'sample') return { kind: 'sample' };
  if (typeof value === 'string') return CONNECTION.test(value) ? { kind: 'connection', name: value } : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const sha256 = Object.hasOwn(value, 'upload') ? value['upload'] : undefined;
  if (typeof sha256 !== 'string' || !SHA256.test(sha256) || Object.keys(value).length !== 1) return undefined;
  return { kind: 'upload', sha256 };
}
