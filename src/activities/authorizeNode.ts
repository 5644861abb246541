import type { ToolDefinition } from '../catalog/tool.ts';
import { ROLES, type Role } from '../identity/principal.ts';
import type { RunRow } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';
import { decide } from '../policy/decide.ts';
import type { Services } from '../runs/services.ts';

const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role);

/**
 * Rights are read again at execution (design §4): a grant row in the ledger overrides the roles of the token the run
 * was started with, so a right that was taken away stops the next node. Throws NOT_AUTHORIZED, class `denied`.
 */
export async function authorizeNode(services: Services, run: RunRow, tool: ToolDefinition): Promise<void> {
  const roles = (await services.ledger.grantsOf(run.tenant, run.requester)) ?? run.roles;
  const decision = decide({
    principal: {
      tenant: run.tenant,
      oid: run.requester,
      kind: 'person',
      roles: roles.filter(isRole),
      source: 'bearer',
    },
    action: 'useTool',
    resource: { tool: tool.name, permission: tool.permission, effect: tool.effect },
  });
  if (!decision.allow) {
    const why = decision.reasons.join(', ');
    throw new ToolError('NOT_AUTHORIZED', `The requester may no longer use ${tool.name} (${why}).`, {
      class: 'denied',
    });
  }
}
