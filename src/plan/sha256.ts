import { hash } from 'node:crypto';

/**
 * SHA-256 as lower-case hex. Text is hashed as UTF-8. The one door of the pure folders to a Node module: hashing is a
 * function of its argument alone.
 */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}
