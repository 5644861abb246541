import { beforeEach, describe, expect, it } from 'vitest';
import { node } from '../../../src/activities/node.ts';
import { validate } from '../../../src/activities/validate.ts';
import { begin } from '../../../src/activities/begin.ts';
import { plan } from '../../../src/activities/plan.ts';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import type { NodeResult } from '../../../src/orchestration/messages.ts';
import { ToolError } from '../../../src/plan/errors.ts';
import { operationKey } from '../../../src/plan/operationKey.ts';
import { accept } from '../../support/services/driveRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testTool, type Behaviour } from '../../support/services/testTools.ts';

let services: TestServices;
let calls: Map<string, number>;
let behave: Map<string, Behaviour>;
const counted =
  (name: string): Behaviour =>
  async (run) => {
    calls.set(name, (calls.get(name) ?? 0) + 1);
    return (await behave.get(name)?.(run)) ?? { made: name };
  };

beforeEach(async () => {
  calls = new Map();
  behave = new Map();
  services = await testServices(['first', 'second'].map((name) => testTool(name, counted(name))));
});

const PLAN = {
  nodes: [
    { id: 'a', tool: 'test.first' },
    { id: 'b', tool: 'test.second', args: { from: { ref: 'a.out' } } },
  ],
};

/** Accepts a run, takes it through validation, and answers a caller of `node1` for it. */
async function prepared(): Promise<{
  runId: string;
  warrant: string;
  run: (nodeId: string, more?: Record<string, unknown>) => Promise<NodeResult>;
}> {
  const runId = await accept(services, PLAN);
  await begin(services, { version: 1, runId, instanceId: runId });
  await plan(services, { version: 1, runId });
  const validated = await validate(services, { version: 1, runId });
  const warrant = validated.schedule?.warrant ?? '';
  const run = (nodeId: string, more: Record<string, unknown> = {}): Promise<NodeResult> =>
    node(services, {
      version: 1,
      runId,
      revision: 1,
      warrant,
      nodeId,
      item: -1,
      attempt: 1,
      phase: 'do',
      by: runId,
      decisions: [],
      ...more,
    });
  return { runId, warrant, run };
}
const codeOf = (result: NodeResult): string =>
  result.state === 'failed' ? `${result.error.code}/${result.error.class}` : result.state;

describe('the generic node activity', () => {
  it('executes once: a redelivered call answers the stored result', async () => {
    const { run } = await prepared();
    const first = await run('a');
    expect(first).toMatchObject({ state: 'done', nodeId: 'a', outputs: { out: expect.stringMatching(/^art_/) } });
    expect(await run('a')).toEqual(first);
    expect(calls.get('first')).toBe(1);
  });

  it('O-09 two executions at once, and one after a lost answer: the tool ran once, one completed row', async () => {
    const { run, runId } = await prepared();
    const [one, two] = await Promise.all([run('a'), run('a')]);
    expect(two).toEqual(one);
    expect(calls.get('first')).toBe(1);
    const projection = await services.ledger.project(runId);
    expect(projection?.operations.filter((row) => row.nodeId === 'a')).toMatchObject([
      { state: 'completed', attempt: 1 },
    ]);
    expect(projection?.artifacts.filter((row) => row.nodeId === 'a')).toHaveLength(1);
  });

  it('hands an upstream output to a port and refuses to run before it is complete', async () => {
    const { run } = await prepared();
    expect(codeOf(await run('b'))).toBe('UPSTREAM_NOT_COMPLETED/permanent');
    await run('a');
    behave.set(
      'second',
      async ({ inputs }) => JSON.parse(new TextDecoder().decode(inputs.get('from')?.bytes)) as unknown,
    );
    expect(codeOf(await run('b'))).toBe('done');
  });

  it.each([
    ['another warrant', { warrant: 'f'.repeat(64) }, 'WARRANT_MISMATCH/permanent'],
    ['another revision', { revision: 7 }, 'WARRANT_MISMATCH/permanent'],
    ['a node that is not in the plan', { nodeId: 'zzz' }, 'WARRANT_MISMATCH/permanent'],
  ])('refuses %s and runs nothing', async (_what, more, code) => {
    const { run } = await prepared();
    expect(codeOf(await run('a', more))).toBe(code);
    expect(calls.size).toBe(0);
  });

  it('refuses an expired warrant', async () => {
    const { run } = await prepared();
    services.clock += 3 * 24 * 3_600_000;
    expect(codeOf(await run('a'))).toBe('WARRANT_MISMATCH/permanent');
  });

  it('O-15 (2) a tool that was removed or changed its version is TOOL_REMOVED, not a replay error', async () => {
    const { run } = await prepared();
    const before = services.catalog;
    Object.assign(services, { catalog: createCatalog([testTool('second', counted('second'))]) });
    expect(codeOf(await run('a'))).toBe('TOOL_REMOVED/permanent');
    Object.assign(services, { catalog: createCatalog([testTool('first', counted('first'), { version: '2.0.0' })]) });
    expect(codeOf(await run('a'))).toBe('TOOL_REMOVED/permanent');
    Object.assign(services, { catalog: before });
    expect(calls.size).toBe(0);
  });

  it('O-14 (2) looks at the flag before it does anything: after a cancel nothing runs', async () => {
    const { run, runId } = await prepared();
    await services.ledger.setControl(runId, 'cancel', 'alice', services.clock);
    expect(codeOf(await run('a'))).toBe('CANCELLED/permanent');
    expect(calls.size).toBe(0);
  });

  it('rights are read again at execution: a grant that was taken away stops the node', async () => {
    const { run } = await prepared();
    await services.ledger.setGrants('local', 'alice', [], 'admin', services.clock);
    expect(codeOf(await run('a'))).toBe('NOT_AUTHORIZED/denied');
    expect(calls.size).toBe(0);
  });

  it('O-17 a flipped byte or a lost blob fails the consuming node by name, and is never parsed', async () => {
    const { run } = await prepared();
    behave.set('first', async () => ({ large: 'x'.repeat(3_000) }));
    await run('a');
    const [name, blob] = [...services.store.blobs].find(([key]) => key.includes('/a/')) ?? [];
    if (name === undefined || blob === undefined) throw new Error('no blob');
    const bytes = Uint8Array.from(blob.bytes);
    bytes[3] = (bytes[3] ?? 0) ^ 1;
    services.store.blobs.set(name, { ...blob, bytes });
    expect(codeOf(await run('b'))).toMatch(/^ARTIFACT_CORRUPT\//);
    services.store.blobs.delete(name);
    expect(codeOf(await run('b'))).toMatch(/^ARTIFACT_LOST\//);
    expect(calls.get('second')).toBeUndefined();
  });

  it('O-11 (1, 2) an expected failure is a value with its class; an unexpected exception is permanent and has no stack trace', async () => {
    const { run } = await prepared();
    behave.set('first', async () =>
      Promise.reject(new ToolError('TOOL_FAILED', 'busy', { class: 'throttled', retryAfterMs: 7_000 })),
    );
    expect(await run('a')).toMatchObject({ state: 'failed', error: { class: 'throttled', retryAfterMs: 7_000 } });
    behave.set('first', async () => Promise.reject(new TypeError("Cannot read properties of undefined (reading 'x')")));
    const result = await run('a', { attempt: 2 });
    expect(codeOf(result)).toBe('TOOL_FAILED/permanent');
    expect(JSON.stringify(result)).not.toContain('.ts:');
  });

  it('a stored permanent failure stands: the same attempt is not run again', async () => {
    const { run } = await prepared();
    behave.set('first', async () => Promise.reject(new ToolError('EMPTY_RESULT', 'nothing')));
    await run('a');
    expect(codeOf(await run('a'))).toBe('EMPTY_RESULT/permanent');
    expect(calls.get('first')).toBe(1);
  });

  it('O-10 (2) a result above the tool’s limit is RESULT_TOO_LARGE, and what the activity answers stays below 2 KiB', async () => {
    const { run } = await prepared();
    behave.set('first', async () => ({ big: 'x'.repeat(2_000_000) }));
    const result = await run('a');
    expect(codeOf(result)).toBe('RESULT_TOO_LARGE/permanent');
    behave.set('first', async () => Promise.reject(new ToolError('TOOL_FAILED', 'Ω'.repeat(100_000))));
    expect(new TextEncoder().encode(JSON.stringify(await run('a', { attempt: 2 }))).byteLength).toBeLessThan(2_048);
  });

  it('a fatal check that fails is CHECK_FAILED and the result does not flow on', async () => {
    const failing = testTool('first', counted('first'), {
      run: async () => ({
        outputs: new Map([
          [
            'out',
            {
              bytes: new TextEncoder().encode('{}'),
              mediaType: 'application/json',
              type: { kind: 'json', schema: {} },
              fileName: 'o.json',
            },
          ],
        ]),
        checks: [{ name: 'sum', passed: false, detail: '3 ≠ 4' }],
      }),
    });
    services = await testServices([failing, testTool('second', counted('second'))]);
    const { run, runId } = await prepared();
    expect(codeOf(await run('a'))).toBe('CHECK_FAILED/permanent');
    expect((await services.ledger.project(runId))?.artifacts).toEqual([]);
  });

  it('OPERATION_CONFLICT when the same node was reserved with other arguments', async () => {
    const { run, runId } = await prepared();
    const row = await services.ledger.getRun(runId);
    const key = operationKey({ tenant: 'local', runId, revision: 1, nodeId: 'a', item: -1, action: 'do' });
    await services.ledger.reserve({
      operationKey: key,
      runId,
      nodeId: 'a',
      item: -1,
      planDigest: row?.planDigest ?? '',
      argsDigest: 'e'.repeat(64),
      tool: 'test.first',
      effect: 'none',
      attempt: 1,
      now: services.clock,
      ownerMs: 1,
      by: runId,
      decisions: [],
    });
    expect(codeOf(await run('a'))).toBe('OPERATION_CONFLICT/permanent');
  });
});
