import { beforeEach, describe, expect, it } from 'vitest';
import { laneInstanceId } from '../../../src/orchestration/lanes.ts';
import { laneChunks } from '../../../src/orchestration/lanes.ts';
import { codeOf, prepare } from '../../support/services/activityRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { journalLines } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const LIST = { id: 'list', tool: 'test.items', args: { items: [{ n: 1 }, { n: 2 }, { n: 3 }] } };
const over = (id: string, args: unknown, more: object = {}): object => ({
  id,
  tool: 'test.count',
  args,
  forEach: { items: { ref: 'list.items' }, maxItems: 200 },
  ...more,
});
const EACH = over('each', { value: { ref: '$item.n' } });
const CHAIN = over('next', { value: { i: { ref: '$index' }, was: { ref: 'each.value' } } });
const counted = (): unknown[] => journalLines().map(({ nodeId, item, value }) => [nodeId, item, value]);

describe('forEach, one activity at a time', () => {
  it('expands, runs items with $item and $index, hands outputs on item by item, and gathers in order', async () => {
    const run = await prepare(services, { nodes: [LIST, EACH, CHAIN] });
    await run.node('list');
    expect(await run.expand('each')).toMatchObject({ state: 'expanded', count: 3, mode: 'inline', item: -1 });
    for (const item of [2, 0, 1]) {
      expect(codeOf(await run.item('each', item))).toBe('done');
      expect(codeOf(await run.item('next', item))).toBe('done');
    }
    expect(codeOf(await run.gather('each'))).toBe('done');
    expect(codeOf(await run.gather('next'))).toBe('done');
    expect(await run.output('each', 'value')).toEqual([1, 2, 3]);
    expect(await run.output('next', 'value')).toEqual([1, 2, 3].map((was, i) => ({ i, was })));
    expect(counted()).toHaveLength(6);
  });

  it('is safe to run twice: expansion, items and gathering answer what stands', async () => {
    const run = await prepare(services, { nodes: [LIST, EACH] });
    await run.node('list');
    const [first, second] = [await run.expand('each'), await run.expand('each')];
    expect(second).toEqual(first);
    const [one, two] = await Promise.all([run.item('each', 0), run.item('each', 0)]);
    expect(two).toEqual(one);
    for (const item of [1, 2]) await run.item('each', item);
    expect(await run.gather('each')).toEqual(await run.gather('each'));
    expect(counted()).toHaveLength(3);
  });

  it('starts no item before the expansion, gathers nothing before every item has ended', async () => {
    const run = await prepare(services, { nodes: [LIST, EACH] });
    await run.node('list');
    expect(codeOf(await run.item('each', 0))).toBe('UPSTREAM_NOT_COMPLETED/permanent');
    await run.expand('each');
    await run.item('each', 0);
    expect(codeOf(await run.gather('each'))).toBe('UPSTREAM_NOT_COMPLETED/permanent');
    expect(codeOf(await run.item('each', 3))).toBe('WARRANT_MISMATCH/permanent');
    expect(codeOf(await run.node('each'))).toBe('WARRANT_MISMATCH/permanent');
    expect(codeOf(await run.item('list', 0))).toBe('WARRANT_MISMATCH/permanent');
    expect(counted()).toHaveLength(1);
  });

  it('a bad item refuses the whole expansion by its index, before any instance starts', async () => {
    const bad = over('each', { value: 1, ms: { ref: '$item.n' } });
    const list = { ...LIST, args: { items: [{ n: 1 }, { n: 'soon' }] } };
    const run = await prepare(services, { nodes: [list, bad] });
    await run.node('list');
    const refused = await run.expand('each');
    expect(refused).toMatchObject({ state: 'failed', error: { code: 'INVALID_ARGUMENT' } });
    expect(refused.state === 'failed' && refused.error.message).toContain('item 1 of each');
    expect(await services.ledger.getExpansion(run.runId, 1, 'each')).toBeUndefined();
    expect(counted()).toEqual([]);
  });

  it('an item that its condition leaves out is not looked at', async () => {
    const guarded = over('each', { value: { ref: '$item.n' } }, { when: { op: 'exists', left: { ref: '$item.n' } } });
    const list = { ...LIST, args: { items: [{ n: 1 }, { m: 2 }] } };
    const run = await prepare(services, { nodes: [list, guarded] });
    await run.node('list');
    expect(await run.expand('each')).toMatchObject({ state: 'expanded', count: 2 });
    expect(codeOf(await run.item('each', 0))).toBe('done');
    expect(await run.item('each', 1)).toMatchObject({ state: 'skipped', item: 1 });
    await run.gather('each');
    expect(await run.output('each', 'value')).toEqual([1, null]);
  });

  it('refuses more items than the plan allows, and what is no list', async () => {
    const few = over('each', { value: 1 }, { forEach: { items: { ref: 'list.items' }, maxItems: 2 } });
    const run = await prepare(services, { nodes: [LIST, few] });
    await run.node('list');
    expect(codeOf(await run.expand('each'))).toBe('INVALID_ARGUMENT/unexpected');
    const none = over('each', { value: 1 }, { forEach: { items: { ref: 'v.value' }, maxItems: 2 } });
    const other = await prepare(services, { nodes: [{ id: 'v', tool: 'test.noop', args: { value: 7 } }, none] });
    await other.node('v');
    expect(codeOf(await other.expand('each'))).toBe('INVALID_ARGUMENT/unexpected');
  });

  it('no items: expanded with none, gathered as an empty list', async () => {
    const run = await prepare(services, { nodes: [{ ...LIST, args: { items: [] } }, EACH] });
    await run.node('list');
    expect(await run.expand('each')).toMatchObject({ state: 'expanded', count: 0 });
    expect(codeOf(await run.gather('each'))).toBe('done');
    expect(await run.output('each', 'value')).toEqual([]);
  });

  it('many items go into lanes whose children are recorded, once, before they are called', async () => {
    const list = { ...LIST, args: { count: 120 } };
    const run = await prepare(services, { nodes: [list, over('each', { value: { ref: '$item' } })] });
    await run.node('list');
    const expanded = await run.expand('each');
    expect(expanded).toMatchObject({ state: 'expanded', count: 120, mode: 'lanes' });
    await run.expand('each');
    const chunks = laneChunks(120, run.schedule.window, 1);
    const rows = await services.ledger.instancesOf(run.runId);
    const wanted = chunks.map(({ from, to }) => ({
      instanceId: laneInstanceId(run.runId, { nodeId: 'each', item: from, revision: 1, attempt: 1 }),
      kind: 'lane',
      item: from,
      to,
      state: 'planned',
    }));
    expect(rows.length).toBe(chunks.length);
    for (const row of wanted) expect(rows).toContainEqual(expect.objectContaining(row));

    const [, lost] = chunks;
    await run.expand('each', { again: { from: lost?.from, attempt: 2 } });
    const after = await services.ledger.instancesOf(run.runId);
    const states = after
      .filter(({ item }) => item === lost?.from)
      .map(({ state, attempt }) => [attempt, state] as const);
    expect(states.sort(([a], [b]) => a - b)).toEqual([
      [1, 'ended'],
      [2, 'planned'],
    ]);
    expect(codeOf(await run.expand('each', { again: { from: lost?.from, attempt: 5 } }))).toBe('TOOL_FAILED/permanent');
    expect(codeOf(await run.expand('each', { again: { from: 1_000, attempt: 2 } }))).toBe('WARRANT_MISMATCH/permanent');
  });

  it('a suspended run holds the expansion, a cancelled one refuses it', async () => {
    const run = await prepare(services, { nodes: [LIST, EACH] });
    await run.node('list');
    await services.ledger.setControl(run.runId, 'suspend', 'alice', services.clock);
    expect(await run.expand('each')).toMatchObject({ state: 'held' });
    await services.ledger.setControl(run.runId, 'cancel', 'alice', services.clock);
    expect(codeOf(await run.expand('each'))).toBe('CANCELLED/permanent');
  });

  it('items that changed since the expansion are refused', async () => {
    const run = await prepare(services, { nodes: [LIST, EACH] });
    await run.node('list');
    await services.ledger.saveExpansion(
      {
        runId: run.runId,
        revision: 1,
        nodeId: 'each',
        count: 3,
        itemsDigest: 'f'.repeat(64),
        mode: 'inline',
        createdAt: 1,
      },
      [],
      run.runId,
      [],
    );
    expect(codeOf(await run.item('each', 0))).toBe('STATE_INVALID/unexpected');
    expect(counted()).toEqual([]);
  });
});
