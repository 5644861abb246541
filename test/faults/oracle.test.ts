/** The oracle itself: each kind of wrong end is named; what a fault may cost is allowed and nothing more. */
import { describe, expect, it } from 'vitest';
import type { Fired } from '../support/faults/cellFiles.ts';
import { matrixOf } from '../support/faults/matrix.ts';
import { judgeEnd, type End } from '../support/faults/oracle.ts';
import type { Fault } from '../support/faults/points.ts';

const good: End = {
  status: 'succeeded',
  operations: new Map([['a#-1', 'completed']]),
  artifacts: new Map([['a#-1.value', 'f00d']]),
  decisions: new Map(),
  effects: new Map([['count:a#-1', 1]]),
  terminalEvents: 1,
  auditOk: true,
  openInstances: 0,
  runningInstances: 0,
  leftMessages: 0,
};
const fault = (point: string, kind: Fault['kind']): Fault => ({ point, kind, occurrence: 1 });
const firedAt = (given: Fault, nodeId = 'a'): Fired => ({
  ...given,
  cell: 'x',
  functionName: 'node1',
  nodeId,
  item: -1,
});
const judge = (got: Partial<End>, given: Fault, nodeId?: string): string[] =>
  judgeEnd(good, { ...good, ...got }, { fault: given, fired: firedAt(given, nodeId), cut: [], atWork: new Map() });
const CRASH = fault('ledger.complete.before', 'crash');
const twice = { effects: new Map([['count:a#-1', 2]]) };

describe('the oracle of the cells', () => {
  it('finds nothing wrong with an end that equals the fault-free one', () => {
    expect(judge({}, CRASH)).toEqual([]);
  });

  it.each<[string, Partial<End>]>([
    ['another status', { status: 'failed' }],
    ['a second end', { terminalEvents: 2 }],
    ['no end', { terminalEvents: 0 }],
    ['an operation that is missing', { operations: new Map() }],
    ['an operation twice', { operations: new Map([...good.operations, ['a#-1 (again)', 'completed']]) }],
    ['a lost result', { artifacts: new Map() }],
    ['another result', { artifacts: new Map([['a#-1.value', 'beef']]) }],
    ['an effect that never happened', { effects: new Map() }],
    ['a broken chain', { auditOk: false }],
    ['a child left', { openInstances: 1 }],
    ['an instance left', { runningInstances: 1 }],
    ['a timer left', { leftMessages: 1 }],
  ])('names %s', (_name, got) => {
    expect(judge(got, CRASH)).toHaveLength(1);
  });

  it('names a fault that never struck', () => {
    expect(judgeEnd(good, good, { fault: CRASH, fired: undefined, cut: [], atWork: new Map() })).toHaveLength(1);
  });

  it.each([
    ['tools.run.after', 'crash'],
    ['store.put.after', 'exception'],
    ['ledger.complete.before', 'crash'],
  ] as const)('lets %s × %s cost one more execution of the node it struck, and no second', (point, kind) => {
    expect(judge(twice, fault(point, kind))).toEqual([]);
    expect(judge(twice, fault(point, kind), 'b')).toHaveLength(1);
    expect(judge({ effects: new Map([['count:a#-1', 3]]) }, fault(point, kind))).toHaveLength(1);
  });

  it.each([
    ['tools.run.after', 'duplicateDelivery'],
    ['ledger.complete.before', 'lostAnswer'],
    ['ledger.complete.after', 'crash'],
    ['ledger.reserve.after', 'exception'],
    ['tools.run.before', 'crash'],
    ['ledger.renew.after', 'exception'],
  ] as const)('lets %s × %s cost no execution', (point, kind) => {
    expect(judge(twice, fault(point, kind))).toHaveLength(1);
  });
});

it('lets each death of a process cost once what was in the middle of its work, and nothing else', () => {
  const given = fault('ledger.fail.before', 'crash');
  const judged = (atWork: ReadonlyMap<string, number>): string[] =>
    judgeEnd(good, { ...good, ...twice }, { fault: given, fired: firedAt(given, 'b'), cut: [], atWork });
  expect(judged(new Map([['a#-1', 1]]))).toEqual([]);
  expect(judged(new Map())).toHaveLength(1);
  expect(judged(new Map([['b#-1', 1]]))).toHaveLength(1);
});

describe('the matrix', () => {
  it('has every point with every kind that applies, at the first and the last time', () => {
    const cells = matrixOf(
      new Map([
        ['ledger.reserve.before', 3],
        ['orchestrator.answer.after', 1],
      ]),
    );
    expect(cells).toHaveLength(4 * 2 + 3);
    expect(new Set(cells.map((cell) => JSON.stringify(cell))).size).toBe(cells.length);
    expect(new Set(cells.map((cell) => cell.occurrence))).toEqual(new Set([1, 3]));
  });

  it('strikes an orchestrator in the middle and at its end, since the number of its answers varies', () => {
    const cells = matrixOf(new Map([['orchestrator.answer.before', 9]]));
    expect(new Set(cells.map((cell) => cell.occurrence))).toEqual(new Set([1, 5]));
  });
});
