import { beforeEach, describe, expect, it } from 'vitest';
import { readReport } from '../../../src/runs/readReport.ts';
import { aggregateTool } from '../../../src/tools/core/aggregateTool.ts';
import { accept, alice, drive, view } from '../../support/services/driveRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import type { Loose } from '../../support/system/api.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { journalLines, timesNoted } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices([...testAppTools, aggregateTool]);
});

const read = (runId: string): Promise<Loose> => view(services, runId);
const nodeOf = async (runId: string, id: string): Promise<Loose> =>
  (await read(runId)).nodes.find((one: Loose) => one.id === id);

const list = (count: number): object => ({ id: 'list', tool: 'test.items', args: { count } });
const each = (id: string, args: object, more: object = {}): object => ({
  id,
  tool: 'test.count',
  args,
  forEach: { items: { ref: 'list.items' }, maxItems: 10_000 },
  ...more,
});
const SUM = { id: 'sum', tool: 'core.aggregate', args: { items: { ref: 'b.value' }, op: 'sum', minCoverage: 0 } };
const chain = (items: number, more: object = {}): object => ({
  nodes: [list(items), each('a', { value: { ref: '$item' } }), each('b', { value: { ref: 'a.value' } }, more), SUM],
  outputs: { sum: { ref: 'sum.value' } },
});

describe('whole runs with loops', () => {
  it.each([0, 3, 25, 120])('a chain over %i items runs item by item and sums to the right value', async (items) => {
    const runId = await accept(services, chain(items));
    const { end, world } = await drive(services, runId);
    expect(end.status).toBe(items === 0 ? 'unverified' : 'succeeded');
    expect(timesNoted()).toBe(2 * items);
    const lanes = [...world.instances.values()].filter(({ name }) => name === 'lane1').length;
    expect(lanes > 0).toBe(2 * items > 50);
    expect((await nodeOf(runId, 'b')).items).toEqual({
      total: items,
      completed: items,
      failed: 0,
      skipped: 0,
      open: 0,
    });
    const [row] = await services.ledger
      .artifactsOf(runId, 'sum', -1)
      .then((rows) => rows.filter((r) => r.output === 'value'));
    expect(JSON.parse(row?.value ?? 'null')).toBe(items === 0 ? null : (items * (items - 1)) / 2);
    expect(await services.ledger.openInstances(runId, 10)).toEqual([]);
    expect(await services.ledger.verifyAudit()).toMatchObject({ ok: true });
  });

  it.each([10, 60])(
    'tolerated failures and conditions among %i items: counted, gathered as null, reported',
    async (items) => {
      const planned = {
        nodes: [
          list(items),
          each(
            'a',
            { value: { ref: '$item' }, fail: { class: 'permanent' } },
            { onFailure: 'continue', when: { op: 'lt', left: { ref: '$item' }, right: 2 } },
          ),
          each('b', { value: { ref: 'a.value', default: 7 } }),
          SUM,
        ],
      };
      const runId = await accept(services, planned);
      const { end } = await drive(services, runId);
      expect(end.status).toBe('succeeded');
      expect((await nodeOf(runId, 'a')).items).toEqual({
        total: items,
        completed: 0,
        failed: 2,
        skipped: items - 2,
        open: 0,
      });
      expect((await nodeOf(runId, 'b')).items).toMatchObject({ completed: items });
      const report: Loose = await readReport(services, { principal: alice, route: 'GET /runs/{id}/report' }, runId);
      expect(report.text).toContain(`2 failed, ${String(items - 2)} skipped`);
    },
  );

  it('a failed item that is not tolerated fails the run, and nothing new starts', async () => {
    const planned = {
      nodes: [
        list(30),
        each('a', { fail: { class: 'permanent' } }),
        { ...SUM, args: { items: { ref: 'a.value' }, op: 'count' } },
      ],
    };
    const runId = await accept(services, planned);
    const { end } = await drive(services, runId);
    expect(end.status).toBe('failed');
    expect(timesNoted()).toBeLessThan(30);
    expect(await read(runId)).toMatchObject({ error: { code: 'TOOL_FAILED' } });
    expect((await nodeOf(runId, 'sum')).state).toBe('skippedByFailure');
  });
});

describe('whole runs with conditions and tolerated failures', () => {
  const A = { id: 'a', tool: 'test.noop', args: { value: { n: 1 } } };
  it('a false condition is neutral, and takes along what needs its output; the report says why', async () => {
    const planned = {
      nodes: [
        A,
        { id: 'b', tool: 'test.count', when: { op: 'gt', left: { ref: 'a.value.n' }, right: 5 } },
        { id: 'c', tool: 'test.count', args: { value: { ref: 'b.value' } } },
        { id: 'd', tool: 'test.count', args: { value: { ref: 'b.value', default: 'none' } } },
      ],
    };
    const runId = await accept(services, planned);
    expect((await drive(services, runId)).end.status).toBe('succeeded');
    expect(journalLines().map(({ nodeId, value }) => [nodeId, value])).toEqual([['d', 'none']]);
    const { nodes } = await read(runId);
    expect(nodes.map((one: Loose) => [one.id, one.state])).toEqual([
      ['a', 'succeeded'],
      ['b', 'skippedByCondition'],
      ['c', 'skippedByCondition'],
      ['d', 'succeeded'],
    ]);
    const report: Loose = await readReport(services, { principal: alice, route: 'GET /runs/{id}/report' }, runId);
    expect(report.text).toContain('- b skippedByCondition: when: not so: a.value.n (1) is above 5');
  });

  it('a declared output that is missing in the end fails the run and is named', async () => {
    const planned = {
      nodes: [A, { id: 'b', tool: 'test.count', when: { op: 'gt', left: { ref: 'a.value.n' }, right: 5 } }],
      outputs: { first: { ref: 'a.value' }, second: { ref: 'b.value' } },
    };
    const runId = await accept(services, planned);
    expect((await drive(services, runId)).end.status).toBe('failed');
    expect((await read(runId)).error).toMatchObject({
      code: 'EMPTY_RESULT',
      message: expect.stringContaining('second'),
    });
  });

  it('a tolerated failure leaves the run succeeded and says so', async () => {
    const planned = {
      nodes: [
        { id: 'a', tool: 'test.count', args: { fail: { class: 'permanent' } }, onFailure: 'continue' },
        { id: 'b', tool: 'test.count', args: { value: { ref: 'a.value' } } },
        { id: 'c', tool: 'test.count', dependsOn: ['a'] },
      ],
    };
    const runId = await accept(services, planned);
    expect((await drive(services, runId)).end.status).toBe('succeeded');
    const { nodes } = await read(runId);
    expect(nodes.map((one: Loose) => [one.state, one.tolerated])).toEqual([
      ['failed', true],
      ['skippedByFailure', undefined],
      ['succeeded', undefined],
    ]);
  });
});
