import type { Principal } from './principal.ts';

/** Who calls, or why nobody does (contracts.md "Codes"). `detail` is for the caller and says nothing about the token. */
export type Authentication =
  | { readonly ok: true; readonly principal: Principal }
  | {
      readonly ok: false;
      readonly status: 401 | 403 | 503;
      readonly code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'CSRF' | 'STORE_UNAVAILABLE';
      readonly detail: string;
    };

export type Refusal = Extract<Authentication, { ok: false }>;

export const unauthenticated = (detail: string): Refusal => ({
  ok: false,
  status: 401,
  code: 'UNAUTHENTICATED',
  detail,
});
export const forbidden = (detail: string): Refusal => ({ ok: false, status: 403, code: 'FORBIDDEN', detail });
export const csrf = (detail: string): Refusal => ({ ok: false, status: 403, code: 'CSRF', detail });
/** Signing keys cannot be had just now: no verdict about the caller. */
export const keysUnavailable = (): Refusal => ({
  ok: false,
  status: 503,
  code: 'STORE_UNAVAILABLE',
  detail: 'Sign-in keys cannot be read at the moment; try again.',
});

/** The parts of an HTTP request that say who calls. */
export interface IncomingRequest {
  readonly headers: { get(name: string): string | null };
  /** Absolute URL. */
  readonly url: string;
  readonly method: string;
  /** Peer of the socket where the host knows it. */
  readonly remoteAddress?: string;
}
