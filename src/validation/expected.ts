import type { ToolDefinition } from '../catalog/tool.ts';
import { collectReferences } from '../plan/references.ts';
import { substitute } from '../plan/substitute.ts';
import type { PlanNode } from '../plan/types.ts';

/**
 * Expected seconds of a node: the catalog's, or the duration that a wait states; for a `forEach` node the time its
 * instances take when the whole window works on them. Waits hold no slot, so all items of one wait at once.
 * @param count instances of a `forEach` node; `undefined` for a plain node.
 */
export function expectedSeconds(
  node: PlanNode,
  tool: ToolDefinition,
  count: number | undefined,
  window: number,
): number {
  if (tool.wait !== undefined) return Math.max(tool.cost.seconds, statedSeconds(node, tool));
  return count === undefined ? tool.cost.seconds : tool.cost.seconds * Math.ceil(count / Math.max(1, window));
}

/** Duration of a wait whose arguments stand in the plan; 0 for one until a time, which has no length here. */
function statedSeconds(node: PlanNode, tool: ToolDefinition): number {
  if (tool.wait === undefined || collectReferences(node.args).length > 0) return 0;
  const parsed = tool.input.safeParse(substitute<null>(node.args, () => null));
  if (!parsed.success) return 0;
  try {
    // A duration is as long whenever it begins.
    const [early, late] = [tool.wait(parsed.data, 0), tool.wait(parsed.data, 1000) - 1000];
    return early === late ? Math.max(0, early / 1000) : 0;
  } catch {
    return 0;
  }
}
