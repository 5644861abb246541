/**
 * Who may run which tool: a small decision table behind one function. Default is deny; a forbid wins over every permit;
 * any error while deciding is a deny. The ids of the deciding policies are kept with the run.
 */
import type { Effect } from '../catalog/tool.ts';
import type { Principal, Role } from '../identity/principal.ts';
import { digest } from '../plan/canonical.ts';

export interface DecisionRequest {
  readonly principal: Principal;
  readonly action: 'useTool';
  readonly resource: { readonly tool: string; readonly permission: string; readonly effect: Effect };
}

export interface Decision {
  readonly allow: boolean;
  /** Ids of the policies that decided, sorted; why, for people and for the audit log. */
  readonly reasons: readonly string[];
}

/** The port: a full policy engine can take the place of the table. */
export type Decide = (request: DecisionRequest) => Decision;

interface Policy {
  readonly id: string;
  readonly kind: 'permit' | 'forbid';
  /** Any of these roles; empty = whoever. */
  readonly roles: readonly Role[];
  readonly principals: readonly Principal['kind'][];
  readonly effects: readonly Effect[];
}

const ANYBODY: readonly Principal['kind'][] = ['person', 'application', 'agent'];

/** The rules, as data: `policyVersion` is their digest. */
const POLICIES: readonly Policy[] = [
  {
    id: 'requester-analyses',
    kind: 'permit',
    roles: ['requester'],
    principals: ANYBODY,
    effects: ['none', 'temporary'],
  },
  {
    id: 'requester-acts',
    kind: 'permit',
    roles: ['requester'],
    principals: ['person', 'application'],
    effects: ['publishes', 'notifies'],
  },
  {
    id: 'operator-modifies',
    kind: 'permit',
    roles: ['operator'],
    principals: ['person'],
    effects: ['modifiesAuthoritative'],
  },
  {
    id: 'agents-have-no-effects',
    kind: 'forbid',
    roles: [],
    principals: ['agent'],
    effects: ['publishes', 'modifiesAuthoritative', 'notifies'],
  },
];

/** Version of the rules as it stands in warrants: changes exactly when a rule changes. */
export const policyVersion = `policy-${digest('policy.v1:', POLICIES).slice(0, 12)}`;

function applies(policy: Policy, { principal, resource }: DecisionRequest): boolean {
  return (
    policy.effects.includes(resource.effect) &&
    policy.principals.includes(principal.kind) &&
    (policy.roles.length === 0 || policy.roles.some((role) => principal.roles.includes(role)))
  );
}

/** Decides by the built-in table. Never throws: what cannot be evaluated is denied with `evaluation-error`. */
export const decide: Decide = (request) => {
  try {
    if (request.principal.tenant === '' || request.principal.oid === '')
      return { allow: false, reasons: ['no-identity'] };
    if (request.resource.permission !== `tool:${request.resource.tool}`) {
      return { allow: false, reasons: ['permission-names-another-tool'] };
    }
    const matching = POLICIES.filter((policy) => applies(policy, request));
    const forbids = matching.filter(({ kind }) => kind === 'forbid');
    const deciding = forbids.length > 0 ? forbids : matching;
    if (deciding.length === 0) return { allow: false, reasons: ['no-policy-permits'] };
    return { allow: forbids.length === 0, reasons: deciding.map(({ id }) => id).sort() };
  } catch {
    return { allow: false, reasons: ['evaluation-error'] };
  }
};
