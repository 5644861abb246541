import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import { followEdges } from '../../../src/runs/followEdges.ts';
import type { NodeState, NodeView } from '../../../src/runs/projection.ts';

const view = (id: string, state: NodeState, dependsOn: string[] = [], more: Partial<NodeView> = {}): NodeView => ({
  id,
  tool: 'x.y',
  dependsOn,
  state,
  attempt: state === 'pending' ? 0 : 1,
  startedAt: null,
  endedAt: null,
  ...more,
});
const scheduleOf = (nodes: readonly { id: string; needs?: number[] }[]): Schedule => ({
  version: 1,
  runId: 'r',
  revision: 1,
  warrant: 'w',
  deadlineAt: 0,
  window: 1,
  nodes: nodes.map((node) => ({ after: [], seconds: 1, attempts: 1, ...node })),
});
const shown = (views: readonly NodeView[], schedule?: Schedule): Record<string, string> =>
  Object.fromEntries(followEdges(views, schedule).map(({ id, state }) => [id, state]));

describe('what the edges say of nodes that have not begun', () => {
  it('a node that needs a skipped one is not shown as ready while the orchestrator has not written it down', () => {
    const views = [
      view('last', 'pending', ['constructor']),
      view('constructor', 'pending', ['alarm']),
      view('alarm', 'skippedByCondition'),
      view('beside', 'pending', ['alarm']),
    ];
    const schedule = scheduleOf([{ id: 'alarm' }, { id: 'beside' }, { id: 'constructor', needs: [0] }, { id: 'last', needs: [2] }]); // prettier-ignore
    expect(shown(views, schedule)).toEqual({
      last: 'skippedByCondition',
      constructor: 'skippedByCondition',
      alarm: 'skippedByCondition',
      beside: 'ready',
    });
    expect(followEdges(views, schedule)[1]?.reason).toBe('needs alarm, which was skipped');
  });

  it('what needs a tolerated failure is skipped by it, what only follows it is ready', () => {
    const views = [
      view('soft', 'failed', [], { tolerated: true }),
      view('user', 'pending', ['soft']),
      view('follower', 'pending', ['soft']),
    ];
    const schedule = scheduleOf([{ id: 'follower' }, { id: 'soft' }, { id: 'user', needs: [1] }]);
    expect(shown(views, schedule)).toEqual({ soft: 'failed', user: 'skippedByFailure', follower: 'ready' });
  });

  it('nothing is decided over an edge that is open, over a failure that ends the run, or of a node that has begun', () => {
    const views = [
      view('skipped', 'skippedByCondition'),
      view('going', 'running'),
      view('both', 'pending', ['skipped', 'going']),
      view('broken', 'failed'),
      view('after', 'pending', ['broken']),
      view('again', 'pending', ['skipped'], { attempt: 1 }),
    ];
    expect(shown(views)).toMatchObject({ both: 'pending', after: 'pending', again: 'pending' });
  });
});
