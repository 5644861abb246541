import { consequence } from '../orchestration/consequence.ts';
import type { Schedule } from '../orchestration/schedule.ts';
import type { Settlement } from '../orchestration/task.ts';
import type { NodeState, NodeView } from './projection.ts';

const SETTLEMENTS: ReadonlyMap<NodeState, Settlement> = new Map([
  ['succeeded', 'done'],
  ['skippedByCondition', 'skippedByCondition'],
  ['skippedByFailure', 'skippedByFailure'],
]);

const settlementOf = (view: NodeView | undefined): Settlement | undefined =>
  view === undefined ? undefined : view.tolerated === true ? 'failed' : SETTLEMENTS.get(view.state);

/**
 * What the edges say of nodes that have not begun: `ready`, or skipped because something they need has no outputs. The
 * orchestrator writes such a skip down with its next activity, which may be days away; people see it at once. Pure.
 * @param schedule absent: nothing is known of needs
 */
export function followEdges(views: readonly NodeView[], schedule: Schedule | undefined): readonly NodeView[] {
  const shown = new Map(views.map((view) => [view.id, view]));
  const needs = new Map(
    schedule?.nodes.map(({ id, needs: indexes = [] }) => [id, indexes.map((at) => schedule.nodes[at]?.id ?? '')]),
  );
  let open = views.filter((view) => view.state === 'pending' && view.attempt === 0);
  for (let moved = true; moved;) {
    const still = open.filter((view) => !view.dependsOn.every((id) => settlementOf(shown.get(id)) !== undefined));
    moved = still.length < open.length;
    for (const view of open.filter((one) => !still.includes(one))) {
      const skip = consequence((needs.get(view.id) ?? []).map((id) => [id, settlementOf(shown.get(id))]));
      shown.set(
        view.id,
        skip === null ? { ...view, state: 'ready' } : { ...view, state: skip.kind, reason: skip.reason },
      );
    }
    open = still;
  }
  return views.map((view) => shown.get(view.id) ?? view);
}
