import { setImmediate as breathe } from 'node:timers/promises';
import type { ToolDefinition } from '../catalog/tool.ts';
import { evaluateWhen, valuesOfWhen } from '../plan/conditions.ts';
import { ToolError } from '../plan/errors.ts';
import { refusedItem } from '../plan/expansion.ts';
import { valuesNeeded } from '../plan/resolveArguments.ts';
import type { Scope } from '../plan/resolveReference.ts';
import type { JsonValue, PlanNode } from '../plan/types.ts';
import type { Services } from '../runs/services.ts';
import type { NodeContext } from './nodeContext.ts';
import { nodesOf, scopeFor } from './values.ts';

/** Items looked at before others get the processor. */
const AT_ONCE = 200;

/**
 * Resolves and parses the arguments of every member for every item, as far as they are known before the first instance
 * starts. Throws INVALID_ARGUMENT that names the first bad item. An item is looked at where its `when` is known to hold.
 */
export async function checkItems(
  services: Services,
  context: NodeContext,
  members: readonly PlanNode[],
  items: readonly JsonValue[],
): Promise<void> {
  const { plan, upstream } = context;
  const prepared: { readonly scope: Scope; readonly tool: ToolDefinition }[] = [];
  for (const node of members) {
    const tool = services.catalog.get(node.tool);
    if (tool === undefined) throw new ToolError('TOOL_REMOVED', `${node.tool} is no longer there.`);
    // Outputs of whole nodes only: those of items are not there yet.
    const place = { nodes: plan.nodes, index: 0 };
    const needed = [...valuesNeeded(node, tool, place), ...valuesOfWhen(node, nodesOf(plan), 0)];
    const scope = await scopeFor(
      { plan, node, item: null, upstream },
      needed.filter(({ item }) => item === undefined),
    );
    prepared.push({ scope, tool });
  }
  for (const [index, value] of items.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breathe();
    for (const { scope, tool } of prepared) {
      const own: Scope = { ...scope, item: { index, value } };
      if (evaluateWhen(own).outcome !== 'holds') continue;
      const refused = refusedItem(own, tool);
      if (refused !== undefined) throw refused;
    }
  }
}
