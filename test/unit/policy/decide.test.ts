import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/catalog/tool.ts';
import type { Principal, Role } from '../../../src/identity/principal.ts';
import { decide, policyVersion, type DecisionRequest } from '../../../src/policy/decide.ts';

const request = (
  roles: readonly Role[],
  effect: Effect,
  kind: Principal['kind'] = 'person',
  changes: Partial<Principal> = {},
): DecisionRequest => ({
  principal: { tenant: 't', oid: 'o', kind, roles, source: 'bearer', ...changes },
  action: 'useTool',
  resource: { tool: 'gis.x', permission: 'tool:gis.x', effect },
});

describe('who may use a tool', () => {
  it.each<[readonly Role[], Effect, Principal['kind'], boolean, string]>([
    [['requester'], 'none', 'person', true, 'requester-analyses'],
    [['requester'], 'temporary', 'application', true, 'requester-analyses'],
    [['requester'], 'none', 'agent', true, 'requester-analyses'],
    [['requester'], 'publishes', 'person', true, 'requester-acts'],
    [['requester'], 'notifies', 'application', true, 'requester-acts'],
    [['requester'], 'publishes', 'agent', false, 'agents-have-no-effects'],
    [['requester', 'operator'], 'modifiesAuthoritative', 'agent', false, 'agents-have-no-effects'],
    [['requester'], 'modifiesAuthoritative', 'person', false, 'no-policy-permits'],
    [['operator'], 'modifiesAuthoritative', 'person', true, 'operator-modifies'],
    [['operator'], 'modifiesAuthoritative', 'application', false, 'no-policy-permits'],
    [['approver'], 'none', 'person', false, 'no-policy-permits'],
    [['auditor'], 'none', 'person', false, 'no-policy-permits'],
    [['operator'], 'none', 'person', false, 'no-policy-permits'],
    [[], 'none', 'person', false, 'no-policy-permits'],
  ])('roles %j, effect %s, %s: %s by %s', (roles, effect, kind, allow, reason) => {
    expect(decide(request(roles, effect, kind))).toEqual({ allow, reasons: [reason] });
  });

  it('denies what has no identity, and a permission that names another tool', () => {
    expect(decide(request(['requester'], 'none', 'person', { tenant: '' })).reasons).toEqual(['no-identity']);
    expect(decide(request(['requester'], 'none', 'person', { oid: '' })).allow).toBe(false);
    const other = request(['requester'], 'none');
    expect(decide({ ...other, resource: { ...other.resource, permission: 'tool:gis.y' } }).allow).toBe(false);
  });

  it('any error while deciding is a deny', () => {
    const broken = request(['requester'], 'none');
    const throwing = Object.defineProperty({}, 'roles', {
      get: () => {
        throw new Error('directory is down');
      },
    });
    expect(
      decide({ ...broken, principal: Object.assign(throwing, { tenant: 't', oid: 'o', kind: 'person' }) as Principal }),
    ).toEqual({
      allow: false,
      reasons: ['evaluation-error'],
    });
    expect(decide(null as unknown as DecisionRequest).allow).toBe(false);
  });

  it('has a version that follows from the rules', () => {
    expect(policyVersion).toMatch(/^policy-[0-9a-f]{12}$/);
  });
});
