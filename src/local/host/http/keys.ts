import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Store } from '../store/store.ts';
import type { AuthLevel } from './routes.ts';

/** Access keys of this store; made once and kept. */
export interface HostKeys {
  readonly master: string;
  /** Host-wide function key. */
  readonly function: string;
  /** Key of the durable webhooks (`durabletask_extension`). */
  readonly durable: string;
}

export function hostKeys(store: Store): HostKeys {
  return {
    master: store.secret('key.master'),
    function: store.secret('key.function'),
    durable: store.secret('key.durable'),
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const equal = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** The presented key: header `x-functions-key` first, otherwise the query's `code`. */
export function presentedKey(request: IncomingMessage, query: URLSearchParams): string | undefined {
  const header = request.headers['x-functions-key'];
  return typeof header === 'string' && header !== '' ? header : (query.get('code') ?? undefined);
}

/** True when `key` opens a function of this level: its own level's key or the master key. */
export function opensFunction(keys: HostKeys, level: AuthLevel, key: string | undefined): boolean {
  if (level === 'anonymous') return true;
  if (key === undefined) return false;
  return equal(key, keys.master) || (level === 'function' && equal(key, keys.function));
}

/** True when `key` opens the durable webhooks. */
export function opensWebhooks(keys: HostKeys, key: string | undefined): boolean {
  return key !== undefined && (equal(key, keys.durable) || equal(key, keys.master));
}
