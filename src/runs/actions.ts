import { authorize } from '../identity/authorize.ts';
import type { Principal } from '../identity/principal.ts';
import type { Route } from '../identity/routes.ts';
import { TERMINAL_STATUSES, type RunRow } from '../ledger/port.ts';

export type RunAction = 'suspend' | 'resume' | 'cancel' | 'retry';

const ROUTE: Readonly<Record<RunAction, Route>> = {
  suspend: 'POST /runs/{id}/suspend',
  resume: 'POST /runs/{id}/resume',
  cancel: 'POST /runs/{id}/cancel',
  retry: 'POST /runs/{id}/retry',
};

/** What the run's state takes now. A cancel may be repeated, but there is nothing in it for a person. */
function possible({ status, control, held }: RunRow): readonly RunAction[] {
  if (TERMINAL_STATUSES.has(status)) return status === 'succeeded' ? [] : ['retry'];
  if (control === 'cancel') return [];
  return control === 'suspend' || held ? ['resume', 'cancel'] : ['suspend', 'cancel'];
}

/** What this caller may do with the run as it stands: for buttons. The routes decide again. */
export const actionsOf = (principal: Principal, run: RunRow): readonly RunAction[] =>
  possible(run).filter(
    (action) => authorize(principal, ROUTE[action], { tenant: run.tenant, owner: run.requester }).allowed,
  );
