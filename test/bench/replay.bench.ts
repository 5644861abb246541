/**
 * What the SDK's replay of a run costs per node: every episode replays the whole history, so that the sum over a run
 * grows with the square of its length; the bounded histories (I9) keep it small. Schedules of independent nodes, window
 * 20, one completion an episode, through the SDK's own executor.
 */
import { interpret } from '../../src/orchestration/interpreter.ts';
import { ACTIVITY } from '../../src/orchestration/names.ts';
import { done, History, replay, START, type Action } from '../unit/orchestration/sdkReplay.ts';
import type { Schedule } from '../../src/orchestration/schedule.ts';

export interface ReplayCost {
  readonly nodes: number;
  readonly msPerNode: number;
  /** Bytes of the last answer. */
  readonly answerBytes: number;
}

const scheduleOf = (count: number): Schedule => ({
  version: 1,
  runId: 'bench',
  revision: 1,
  warrant: '0'.repeat(64),
  deadlineAt: START + 3_600_000,
  window: 20,
  nodes: Array.from({ length: count }, (_, i) => ({
    id: `n${String(i).padStart(4, '0')}`,
    after: [],
    seconds: 1,
    attempts: 3,
  })),
});

/** Activities in the order of their ids: every action that takes a number, as the extension counts them. */
function numbered(actions: readonly Action[]): readonly Action[] {
  return actions.flatMap((action) => (action.actionType === 11 ? (action.compoundActions ?? []) : [action]));
}

export async function benchReplay(nodes: number): Promise<ReplayCost> {
  const schedule = scheduleOf(nodes);
  const history = new History(null);
  const answered = new Set<number>();
  let spent = 0;
  let answer = '';
  for (let episode = 0; episode <= nodes; episode += 1) {
    const began = performance.now();
    const state = await replay((verbs) => interpret(verbs, schedule), history);
    spent += performance.now() - began;
    answer = JSON.stringify(state.actions);
    if (state.isDone) break;
    const next = numbered(state.actions).findIndex(
      ({ functionName }, id) => functionName === ACTIVITY.node && !answered.has(id),
    );
    const { input } = numbered(state.actions)[next] ?? {};
    answered.add(next);
    const { nodeId, item, attempt } = input as { nodeId: string; item: number; attempt: number };
    history.batch(done(next, { version: 1, state: 'done', nodeId, item, attempt, outputs: { value: 'art_1' } }));
  }
  if (answered.size !== nodes) throw new Error(`${String(answered.size)} of ${String(nodes)} nodes were run`);
  return { nodes, msPerNode: spent / nodes, answerBytes: answer.length };
}
