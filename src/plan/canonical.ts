import serialize from 'canonicalize';
import { sha256Hex } from './sha256.ts';

/**
 * RFC 8785 (JSON Canonicalization Scheme) text of a JSON value: equal values give equal text, whatever the order of
 * their members and however a number was written. Throws on what JSON cannot carry; pass only parsed values.
 */
export function canonicalJson(value: unknown): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('canonicalJson: the value has no JSON form');
  return text;
}

/**
 * Lower-case hex SHA-256 of `prefix` followed by the canonical JSON of `value`. The prefix names what is hashed and the
 * version of its shape (`plan.v1:`), so that a plan can never collide with a warrant or an artifact.
 */
export function digest(prefix: `${string}:`, value: unknown): string {
  return sha256Hex(prefix + canonicalJson(value));
}
