import { describe, expect, it } from 'vitest';
import type { DecisionRow, OperationRow, RunProjection } from '../../../src/ledger/port.ts';
import type { Plan } from '../../../src/plan/types.ts';
import { projectNodes } from '../../../src/runs/projection.ts';

const node = (id: string, dependsOn: string[] = []): Plan['nodes'][number] => ({
  id,
  tool: 'x.y',
  dependsOn,
  args: {},
});
const plan: Plan = {
  schemaVersion: '1.0',
  workflowId: 'w',
  goal: '',
  inputs: {},
  nodes: [node('a'), node('b', ['a']), node('constructor', ['b'])],
  outputs: {},
  context: { assumptions: [], constraints: [] },
  limits: {},
};
const operation = (nodeId: string, state: OperationRow['state'], more: Partial<OperationRow> = {}): OperationRow => ({
  operationKey: nodeId,
  runId: 'r',
  nodeId,
  item: -1,
  planDigest: '',
  argsDigest: '',
  tool: 'x.y',
  state,
  attempt: 1,
  fencingToken: 1,
  ownerUntil: 0,
  externalJobId: null,
  resultUri: null,
  resultDigest: null,
  errorCode: null,
  errorClass: null,
  errorMessage: null,
  checks: [],
  createdAt: 1_000,
  updatedAt: 2_000,
  rowVersion: 1,
  ...more,
});
const decision = (seq: number, nodeId: string, kind: DecisionRow['kind'], attempt = 0): DecisionRow => ({
  seq,
  nodeId,
  item: -1,
  kind,
  attempt,
  reason: `why ${nodeId}`,
});
const project = (
  operations: OperationRow[],
  decisions: DecisionRow[] = [],
  endedAt: number | null = null,
): readonly { id: string; state: string }[] =>
  projectNodes(
    {
      run: { endedAt } as RunProjection['run'],
      plan: null,
      operations,
      decisions,
      artifacts: [],
      expansions: [],
      items: [],
    },
    plan,
  );
const states = (views: readonly { id: string; state: string }[]): Record<string, string> =>
  Object.fromEntries(views.map((view) => [view.id, view.state]));

describe('what people see is a projection of the ledger', () => {
  it('a node is ready when everything before it succeeded, pending otherwise', () => {
    expect(states(project([]))).toEqual({ a: 'ready', b: 'pending', constructor: 'pending' });
    expect(states(project([operation('a', 'completed')]))).toEqual({
      a: 'succeeded',
      b: 'ready',
      constructor: 'pending',
    });
  });

  it.each([
    ['reserved', 'running'],
    ['submitted', 'polling'],
    ['completed', 'succeeded'],
    ['failed', 'failed'],
    ['unknown', 'unknown'],
    ['needsDecision', 'unknown'],
  ] as const)('operation %s shows as %s', (state, shown) => {
    expect(states(project([operation('a', state)]))['a']).toBe(shown);
  });

  it('decisions show as skipped or cancelled with the reason', () => {
    const views = project(
      [operation('a', 'failed')],
      [decision(1, 'b', 'skippedByFailure'), decision(2, 'constructor', 'cancelled')],
    );
    expect(states(views)).toEqual({ a: 'failed', b: 'skippedByFailure', constructor: 'cancelled' });
    expect(views[1]).toMatchObject({ error: { message: 'why b' } });
  });

  it('a failed attempt that waits for its retry is pending, and says what it waits for; in an ended run it is failed', () => {
    const failed = operation('a', 'failed', { errorCode: 'TOOL_FAILED', errorClass: 'transient', errorMessage: 'm' });
    expect(project([failed], [decision(1, 'a', 'retryWait', 1)])[0]).toMatchObject({
      state: 'pending',
      waitingFor: { kind: 'retry' },
    });
    expect(project([failed], [decision(1, 'a', 'retryWait', 1)], 5_000)[0]).toMatchObject({
      state: 'failed',
      error: { code: 'TOOL_FAILED' },
    });
  });
});
