import type { ToolDescription } from '../catalog/describe.ts';
import type { Principal } from '../identity/principal.ts';
import { decide } from '../policy/decide.ts';
import type { Services } from './services.ts';

/** `GET /tools`: what this caller may use, with schemas and ports. */
export function listTools(
  services: Services,
  principal: Principal,
): { readonly items: readonly ToolDescription[]; readonly nextCursor: null } {
  const items = services.catalog.list().flatMap((tool) => {
    const resource = { tool: tool.name, permission: tool.permission, effect: tool.effect };
    const description = services.catalog.describe(tool.name);
    return description !== undefined && decide({ principal, action: 'useTool', resource }).allow ? [description] : [];
  });
  return { items, nextCursor: null };
}
