import { laneInstanceId } from './lanes.ts';
import type { Decision } from './messages.ts';
import { ACTIVITY, CHILD } from './names.ts';
import type { Schedule } from './schedule.ts';
import type { Task } from './task.ts';
import type { Json } from './verbs.ts';

export interface Caller {
  readonly schedule: Schedule;
  readonly by: string;
}

/** The activity of a task: ids and the decisions since the last call, never data (I5). */
export function taskCall(
  { schedule, by }: Caller,
  task: Task,
  decisions: readonly Decision[],
  inlineLeft: number,
): { readonly name: string; readonly input: Json } {
  const { runId, revision, warrant } = schedule;
  const nodeId = schedule.nodes[task.node]?.id ?? '';
  const told = { by, decisions: decisions.map((decision) => ({ ...decision })) };
  const base = { version: 1, runId, revision, warrant, nodeId, attempt: task.attempt };
  switch (task.kind) {
    case 'node':
      return { name: ACTIVITY.node, input: { ...base, item: task.item, phase: task.phase, ...told } };
    case 'expand':
      return { name: ACTIVITY.expand, input: { ...base, inlineLeft, ...told } };
    case 'gather':
      return { name: ACTIVITY.gather, input: { ...base, ...told } };
    case 'lane': {
      const again = { from: task.item, attempt: task.attempt };
      return { name: ACTIVITY.expand, input: { ...base, inlineLeft: 0, again, ...told } };
    }
  }
}

/** The child of a lane's current attempt, as `expand1` has recorded it. */
export function laneChild(
  { schedule }: Caller,
  task: Task,
): { readonly name: string; readonly instanceId: string; readonly input: Json } {
  const { runId, revision } = schedule;
  const nodeId = schedule.nodes[task.node]?.id ?? '';
  const instanceId = laneInstanceId(runId, { nodeId, item: task.item, revision, attempt: task.attempt });
  return { name: CHILD.lane, instanceId, input: { version: 1, runId, instanceId } };
}
