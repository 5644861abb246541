import { beforeEach, describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/plan/errors.ts';
import { StoreUnavailable } from '../../../src/ledger/port.ts';
import { accept, drive } from '../../support/services/driveRun.ts';
import { notingEngine, testServices, type TestServices } from '../../support/services/testServices.ts';
import { testTool, type Behaviour } from '../../support/services/testTools.ts';

let services: TestServices;
let calls: string[];
let behave: Map<string, Behaviour>;
const NAMES = ['a', 'b', 'c', 'd'];
beforeEach(async () => {
  calls = [];
  behave = new Map();
  services = await testServices(
    NAMES.map((name) =>
      testTool(name, async (run) => {
        calls.push(name);
        return (await behave.get(name)?.(run)) ?? { name };
      }),
    ),
  );
});

const DIAMOND = {
  nodes: [
    { id: 'a', tool: 'test.a' },
    { id: 'b', tool: 'test.b', dependsOn: ['a'] },
    { id: 'c', tool: 'test.c', dependsOn: ['a'] },
    { id: 'd', tool: 'test.d', dependsOn: ['b', 'c'] },
  ],
};

describe('a whole run over the real activities and ledger', () => {
  it('succeeds, runs each node once, and stores a verified report', async () => {
    const runId = await accept(services, DIAMOND);
    const { end } = await drive(services, runId);
    expect(end).toEqual({ runId, status: 'succeeded' });
    expect(calls).toEqual(['a', 'b', 'c', 'd']);
    const run = await services.ledger.getRun(runId);
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    expect(await services.ledger.verifyAudit()).toMatchObject({ ok: true });
  });

  it('O-36 (3) a failing side leaves the other side’s result, never runs the tip, and ends the run failed', async () => {
    behave.set('b', async () => Promise.reject(new ToolError('EMPTY_RESULT', 'no features')));
    const runId = await accept(services, DIAMOND);
    const { end } = await drive(services, runId);
    expect(end.status).toBe('failed');
    const projection = await services.ledger.project(runId);
    expect(projection?.run.error).toMatchObject({ code: 'EMPTY_RESULT' });
    expect(projection?.decisions).toMatchObject([{ nodeId: 'd', kind: 'skippedByFailure' }]);
    expect(projection?.artifacts.map((row) => row.nodeId)).toContain('c');
  });

  it.each([
    ['permanent', 1],
    ['denied', 1],
    ['unknown', 1],
    ['transient', 3],
    ['throttled', 3],
  ] as const)('O-11 (2, 4) class %s is called %i times and the run ends failed', async (errorClass, times) => {
    behave.set('a', async () => Promise.reject(new ToolError('TOOL_FAILED', 'no', { class: errorClass })));
    const { end } = await drive(services, await accept(services, DIAMOND));
    expect(end.status).toBe('failed');
    expect(calls).toEqual(Array.from({ length: times }, () => 'a'));
  });

  it('O-11 a TypeError in a tool is not retried', async () => {
    behave.set('a', async () => Promise.reject(new TypeError('x is undefined')));
    await drive(services, await accept(services, DIAMOND));
    expect(calls).toEqual(['a']);
  });

  it('a store that is away for a while costs time, not the run', async () => {
    let away = 3;
    const { end } = await drive(services, await accept(services, DIAMOND), (name) => {
      if (name === 'node1' && away > 0) {
        away -= 1;
        throw new StoreUnavailable('asleep');
      }
    });
    expect(end.status).toBe('succeeded');
  });

  it('an answer that was lost after the work was done is not done again', async () => {
    const runId = await accept(services, DIAMOND);
    const lost = new Set<string>();
    const { ACTIVITIES } = await import('../../support/services/driveRun.ts');
    const { end } = await drive(services, runId, async (name, input) => {
      const key = `${name}:${JSON.stringify((input as { nodeId?: string }).nodeId)}`;
      if (lost.has(key)) return;
      lost.add(key);
      await ACTIVITIES.get(name)?.(services, structuredClone(input), notingEngine());
      throw new Error('the worker died before it answered');
    });
    expect(end.status).toBe('succeeded');
    expect(calls).toEqual(['a', 'b', 'c', 'd']);
  });

  it('O-08 a late duplicate instance, or one of another id, touches nothing', async () => {
    const runId = await accept(services, DIAMOND);
    await drive(services, runId);
    const before = JSON.stringify(await services.ledger.project(runId));
    expect((await drive(services, runId)).end.status).toBe('succeeded');
    expect(JSON.stringify(await services.ledger.project(runId))).toBe(before);
    expect(calls).toHaveLength(4);
  });

  it('O-10 (3) history stays bounded: nothing an activity gets or answers is data', async () => {
    behave.set('a', async () => ({ rows: 'x'.repeat(900_000) }));
    const { hand } = await drive(services, await accept(services, DIAMOND));
    const bytes = hand.calls.map((call) => JSON.stringify([call.input, call.settled]).length);
    expect(Math.max(...bytes)).toBeLessThan(3_000);
  });

  it('a plan that is refused at validation ends the run rejected with the findings', async () => {
    const runId = await accept(services, DIAMOND);
    await services.ledger.setGrants('local', 'alice', [], 'admin', services.clock);
    const { end } = await drive(services, runId);
    expect(end.status).toBe('rejected');
    expect((await services.ledger.getRun(runId))?.error).toMatchObject({
      code: 'PLAN_INVALID',
      message: expect.stringContaining('NOT_AUTHORIZED'),
    });
    expect(calls).toEqual([]);
  });

  it('O-34 nodes called constructor, toString and valueOf run end to end, or are refused by name', async () => {
    const planned = {
      nodes: [
        { id: 'constructor', tool: 'test.a' },
        { id: 'b', tool: 'test.b', dependsOn: ['constructor'] },
      ],
    };
    await expect(accept(services, planned)).rejects.toMatchObject({
      findings: [expect.objectContaining({ code: 'RESERVED_NODE_ID' })],
    });
  });
});
