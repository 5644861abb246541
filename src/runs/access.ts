import { authorize, type Subject } from '../identity/authorize.ts';
import type { Principal } from '../identity/principal.ts';
import type { Route } from '../identity/routes.ts';
import { HttpProblem } from './http/problem.ts';

/** Who calls which route: what the role table is asked with. */
export interface Caller {
  readonly principal: Principal;
  readonly route: Route;
}

/**
 * Asks the role table: without a subject before anything is read, with it (`null` = there is no such thing) afterwards.
 * A thing of another tenant answers exactly like one that does not exist (design §6).
 */
export function requireAccess({ principal, route }: Caller, subject?: Subject | null): void {
  const answer = authorize(principal, route, subject);
  if (answer.allowed) return;
  switch (answer.code) {
    case 'NOT_FOUND':
      throw new HttpProblem('NOT_FOUND', 'There is nothing of that id.');
    case 'UNAUTHENTICATED':
      throw new HttpProblem('UNAUTHENTICATED', 'Sign in first.');
    case 'FORBIDDEN':
      throw new HttpProblem('FORBIDDEN', `Your roles (${principal.roles.join(', ') || 'none'}) do not allow this.`);
  }
}
