import { describe, expect, it } from 'vitest';
import { authorize } from '../../../src/identity/authorize.ts';
import { ROLES, type Principal, type Role } from '../../../src/identity/principal.ts';
import { ROUTES, type Route } from '../../../src/identity/routes.ts';

const principal = (roles: readonly Role[], changes: Partial<Principal> = {}): Principal => ({
  tenant: 'local',
  oid: 'alice',
  kind: 'person',
  roles,
  source: 'bearer',
  ...changes,
});
const OWN = { tenant: 'local', owner: 'alice' };
const COLLEAGUE = { tenant: 'local', owner: 'bob' };
/** Same `oid`, other tenant: an id alone proves nothing. */
const FOREIGN = { tenant: 'other', owner: 'alice' };
const ALL = Object.keys(ROUTES) as Route[];

/** Who may, written down a second time and apart: r a o u = requester, approver, operator, auditor; + = also colleagues'. */
const EXPECTED: Readonly<Record<Route, string>> = {
  'GET /health': 'everybody',
  'GET /health?deep=1': 'o',
  'GET /openapi.json': 'everybody',
  'GET /ui': 'everybody',
  'GET /tools': 'raou',
  'POST /runs': 'r',
  'GET /runs': 'raou',
  'GET /runs/{id}': 'r+a+o+u+',
  'GET /runs/{id}/plan': 'r+a+o+u+',
  'GET /runs/{id}/report': 'r+a+o+u+',
  'GET /runs/{id}/effects': 'r+a+o+u+',
  'GET /runs/{id}/events': 'r+a+o+u+',
  'GET /runs/{id}/stream': 'r+a+o+u+',
  'GET /runs/{id}/artifacts': 'r+a+o+',
  'GET /runs/{id}/artifacts/{artifact}': 'r+a+o+',
  'GET /runs/{id}/durable': 'r+a+o+u+',
  'POST /runs/{id}/cancel': 'ro+',
  'POST /runs/{id}/suspend': 'ro+',
  'POST /runs/{id}/resume': 'ro+',
  'POST /runs/{id}/data': 'ro+',
  'POST /runs/{id}/budget': 'ro+',
  'POST /runs/{id}/retry': 'r',
  'POST /runs/{id}/review': 'a+',
  'POST /runs/{id}/operations/{operation}/decision': 'o+',
  'GET /approvals': 'raou',
  'POST /runs/{id}/approvals/{gate}': 'a+',
  'POST /uploads': 'r',
  'GET /uploads/{sha256}/inspect': 'r',
  'POST /plans': 'r',
  'POST /plans/validate': 'r',
  'POST /plans/quote': 'r',
  'POST /events': 'r',
  'POST /monitors': 'r',
};
const LETTER: Readonly<Record<Role, string>> = { requester: 'r', approver: 'a', operator: 'o', auditor: 'u' };

describe('route × role × tenant', () => {
  it('the table and its second copy name the same routes', () => {
    expect(ALL.sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  describe.each(ALL)('%s', (route) => {
    const expected = EXPECTED[route];
    const open = expected === 'everybody';
    const about = ROUTES[route].scope !== 'none';

    it.each(ROLES)('%s', (role) => {
      const may = open || expected.includes(LETTER[role]);
      const colleagues = expected.includes(`${LETTER[role]}+`);
      const caller = principal([role]);
      expect(authorize(caller, route).allowed).toBe(may);
      if (!may) expect(authorize(caller, route)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      if (!may || !about) return;
      expect(authorize(caller, route, OWN).allowed).toBe(true);
      expect(authorize(caller, route, COLLEAGUE).allowed).toBe(colleagues);
      expect(authorize(caller, route, FOREIGN)).toEqual({ allowed: false, status: 404, code: 'NOT_FOUND' });
      expect(authorize(caller, route, null)).toEqual({ allowed: false, status: 404, code: 'NOT_FOUND' });
    });

    it('nobody, and somebody without a role', () => {
      expect(authorize(null, route)).toEqual(
        open ? { allowed: true } : { allowed: false, status: 401, code: 'UNAUTHENTICATED' },
      );
      expect(authorize(principal([]), route, OWN).allowed).toBe(open);
    });
  });

  it('all roles together do not cross the tenant', () => {
    for (const route of ALL.filter((name) => ROUTES[name].scope !== 'none')) {
      expect(authorize(principal(ROLES), route, FOREIGN)).toMatchObject({ status: 404 });
    }
  });

  it('applications and agents decide nothing that is a person’s', () => {
    const decisions = ALL.filter((route) => /approvals\/|review|decision|budget/.test(route));
    expect(decisions).toHaveLength(4);
    for (const kind of ['application', 'agent'] as const) {
      for (const route of decisions) {
        expect(authorize(principal(ROLES, { kind }), route, OWN)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      }
      expect(authorize(principal(ROLES, { kind }), 'POST /runs').allowed).toBe(true);
    }
  });
});
