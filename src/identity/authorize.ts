/** May this principal do this (design §8)? Everything not allowed is refused. */
import type { Principal } from './principal.ts';
import { ROUTES, type Route, type RouteRule } from './routes.ts';

export type Authorization =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly status: 401 | 403 | 404;
      readonly code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND';
    };

/** What the route is about: a run, or an upload. */
export interface Subject {
  readonly tenant: string;
  /** `oid` of the person who started or brought it. */
  readonly owner: string;
}

const REFUSED = {
  unauthenticated: { allowed: false, status: 401, code: 'UNAUTHENTICATED' },
  forbidden: { allowed: false, status: 403, code: 'FORBIDDEN' },
  notFound: { allowed: false, status: 404, code: 'NOT_FOUND' },
} as const;

/**
 * Asked twice for a route about a run: without `subject` before the row is read, with it (or `null`: there is no such
 * row) afterwards. A thing of another tenant answers exactly like one that does not exist.
 */
export function authorize(principal: Principal | null, route: Route, subject?: Subject | null): Authorization {
  const rule: RouteRule = ROUTES[route];
  if (rule.roles.length === 0) return { allowed: true };
  if (principal === null) return REFUSED.unauthenticated;
  if (!holds(principal, rule.roles)) return REFUSED.forbidden;
  if (rule.peopleOnly === true && principal.kind !== 'person') return REFUSED.forbidden;
  if (subject === undefined || rule.scope === 'none') return { allowed: true };
  if (subject === null || subject.tenant !== principal.tenant) return REFUSED.notFound;
  const own = subject.owner === principal.oid;
  const widened = holds(principal, rule.anyInTenant ?? []);
  return rule.scope === 'own' && !own && !widened ? REFUSED.forbidden : { allowed: true };
}

function holds(principal: Principal, roles: readonly string[]): boolean {
  return principal.roles.some((role) => roles.includes(role));
}
