/** The role table of design §8 as data: `authorize` reads it, a test walks route × role × tenant over it. */
import type { Role } from './principal.ts';

export interface RouteRule {
  /** Empty: everybody, signed in or not. */
  readonly roles: readonly Role[];
  /**
   * `tenant`: things of the caller's tenant. `own`: only what the caller started or brought, unless a role of
   * `anyInTenant` widens it. `none`: no particular thing.
   */
  readonly scope: 'none' | 'own' | 'tenant';
  /** Roles for which `own` means the whole tenant. */
  readonly anyInTenant?: readonly Role[];
  /** Applications and agents are refused: the decision is a person's. */
  readonly peopleOnly?: true;
}

const EVERYBODY: RouteRule = { roles: [], scope: 'none' };
const READ: RouteRule = { roles: ['requester', 'approver', 'operator', 'auditor'], scope: 'tenant' };
/** The data itself is not an auditor's business; what was done with it is. */
const READ_DATA: RouteRule = { roles: ['requester', 'approver', 'operator'], scope: 'tenant' };
const STEER: RouteRule = { roles: ['requester', 'operator'], scope: 'own', anyInTenant: ['operator'] };
const START: RouteRule = { roles: ['requester'], scope: 'none' };

export const ROUTES = {
  'GET /health': EVERYBODY,
  'GET /health?deep=1': { roles: ['operator'], scope: 'none' },
  'GET /openapi.json': EVERYBODY,
  'GET /ui': EVERYBODY,
  'GET /tools': { roles: ['requester', 'approver', 'operator', 'auditor'], scope: 'none' },
  'POST /runs': START,
  'GET /runs': { ...READ, scope: 'none' },
  'GET /runs/{id}': READ,
  'GET /runs/{id}/plan': READ,
  'GET /runs/{id}/report': READ,
  'GET /runs/{id}/effects': READ,
  'GET /runs/{id}/events': READ,
  'GET /runs/{id}/stream': READ,
  'GET /runs/{id}/artifacts': READ_DATA,
  'GET /runs/{id}/artifacts/{artifact}': READ_DATA,
  'GET /runs/{id}/durable': READ,
  'POST /runs/{id}/cancel': STEER,
  'POST /runs/{id}/suspend': STEER,
  'POST /runs/{id}/resume': STEER,
  'POST /runs/{id}/data': STEER,
  'POST /runs/{id}/budget': { ...STEER, peopleOnly: true },
  'POST /runs/{id}/retry': { roles: ['requester'], scope: 'own' },
  'POST /runs/{id}/review': { roles: ['approver'], scope: 'tenant', peopleOnly: true },
  'POST /runs/{id}/operations/{operation}/decision': { roles: ['operator'], scope: 'tenant', peopleOnly: true },
  'GET /approvals': { roles: ['requester', 'approver', 'operator', 'auditor'], scope: 'none' },
  'POST /runs/{id}/approvals/{gate}': { roles: ['approver'], scope: 'tenant', peopleOnly: true },
  'POST /uploads': START,
  'GET /uploads/{sha256}/inspect': { roles: ['requester'], scope: 'own' },
  'POST /plans': START,
  'POST /plans/validate': START,
  'POST /plans/quote': START,
  'POST /events': START,
  'POST /monitors': START,
} as const satisfies Readonly<Record<string, RouteRule>>;

export type Route = keyof typeof ROUTES;
