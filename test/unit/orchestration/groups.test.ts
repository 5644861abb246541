import { describe, expect, it } from 'vitest';
import { scheduleOf, skipped } from '../../support/schedules.ts';
import { Driver, inputOf, nameOf } from './driver.ts';

const chain = (more: Parameters<typeof scheduleOf>[1] = {}): Driver =>
  new Driver(scheduleOf({ src: [], a: ['src'], b: ['a'], end: ['b'] }, { groups: [['a', 'b']], ...more }));

describe('forEach inside the run', () => {
  it('expands the group once, after the head’s edges, before its first instance; gathers each member; then goes on', () => {
    const run = chain();
    expect(run.open).toEqual(['src']);
    run.finish('src');
    expect(run.open).toEqual(['expand a']);
    run.expand('a', 3);
    expect(run.open).toEqual(['a[0]', 'a[1]', 'a[2]']);
    run.finish('a[0]', 'a[1]', 'a[2]', 'gather a', 'b[0]', 'b[1]', 'b[2]', 'gather b', 'end');
    expect(run.result).toEqual({ error: null, decisions: [], holds: [] });
    const calls = run.hand.calls.map(nameOf);
    expect(new Set(calls).size).toBe(calls.length);
  });

  it('runs a chain over the same items item by item: no barrier between the members (I3)', () => {
    const run = chain();
    run.finish('src').expand('a', 2).finish('a[1]');
    expect(run.open).toContain('b[1]');
    expect(run.open).not.toContain('b[0]');
    run.finish('b[1]');
    expect(run.open).toEqual(['a[0]']);
  });

  it('gathers a member only after all its items and the gathers of the members before it', () => {
    const run = chain();
    run.finish('src').expand('a', 1).finish('a[0]', 'b[0]');
    expect(run.open).toEqual(['gather a']);
    run.finish('gather a');
    expect(run.open).toEqual(['gather b']);
  });

  it('O-03 (2) zero items complete at once, with empty outputs, and dependants run', () => {
    const run = chain();
    run.finish('src').expand('a', 0).finish('gather a', 'gather b');
    expect(run.open).toEqual(['end']);
    run.finish('end');
    expect(run.result.error).toBeNull();
  });

  it('orders by remaining path, then node id, then item, within the window (I2)', () => {
    const run = chain({ window: 2, seconds: { a: 1, b: 5 } });
    run.finish('src').expand('a', 3);
    expect(run.open).toEqual(['a[0]', 'a[1]']);
    run.finish('a[1]');
    expect(run.open).toEqual(['a[0]', 'a[2]']);
    run.finish('a[0]');
    expect(run.open).toEqual(['a[2]', 'b[0]']);
  });

  it('retries one item without touching the others', () => {
    const run = chain();
    run.finish('src').expand('a', 2).fail('a[0]', 'transient').finish('a[1]');
    expect(run.open).toEqual(['b[1]']);
    run.hand.advance(1_300);
    expect(inputOf(run.call('a[0]')).attempt).toBe(2);
    expect(run.decisions).toContain('a[0] retryWait');
  });

  it('I7 a hard failure of one item stops the run; every node is accounted for', () => {
    const run = chain();
    run.finish('src').expand('a', 3).fail('a[1]');
    expect(run.told().map(({ nodeId, item, kind }) => [nodeId, item, kind])).toEqual([
      ['a', -1, 'skippedByFailure'],
      ['b', -1, 'skippedByFailure'],
      ['end', -1, 'skippedByFailure'],
    ]);
    run.finish('a[0]', 'a[2]');
    expect(run.result.error?.message).toContain('a[1]: ');
    expect(run.hand.calls.filter((call) => call.name === 'node1').map(nameOf)).toEqual(['src', 'a[0]', 'a[1]', 'a[2]']);
  });

  it('a tolerated failure of one item skips what needs it, for that item alone; both are gathered', () => {
    const run = chain({ nodes: { a: { soft: true }, b: { needs: ['a'] } } });
    run.finish('src').expand('a', 2).fail('a[0]').finish('a[1]', 'gather a', 'b[1]');
    expect(run.open).toEqual(['gather b']);
    run.finish('gather b', 'end');
    expect(run.result.error).toBeNull();
    expect(run.decisions).toEqual(['b[0] skippedByFailure']);
  });

  it('an item skipped by its condition skips what needs it; an edge alone does not', () => {
    const run = new Driver(
      scheduleOf({ a: [], b: ['a'], c: ['a'] }, { groups: [['a', 'b', 'c']], nodes: { b: { needs: ['a'] } } }),
    );
    run.expand('a', 1).answer('a[0]', skipped);
    expect([...run.open].sort()).toEqual(['c[0]', 'gather a']);
    run.finish('c[0]', 'gather a', 'gather b', 'gather c');
    expect(run.result.error).toBeNull();
    expect(run.decisions).toEqual(['b[0] skippedByCondition']);
  });

  it('a refused expansion stops the run before any instance has started', () => {
    const run = chain();
    run.finish('src').fail('expand a', 'unexpected', { code: 'INVALID_ARGUMENT' });
    run.told();
    expect(run.result.error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(run.hand.calls.map(nameOf)).toEqual(['src', 'expand a', 'stop1']);
  });

  it('an expansion without items because their source was skipped takes the whole group along', () => {
    const run = chain({ nodes: { end: { needs: ['b'] } } });
    run.finish('src').answer('expand a', skipped);
    expect(run.result.error).toBeNull();
    expect(run.decisions).toEqual(['a skippedByCondition', 'b skippedByCondition', 'end skippedByCondition']);
  });

  it('a head skipped in consequence is never expanded; an edge alone lets the next node run', () => {
    const run = chain({ nodes: { a: { needs: ['src'] } } });
    run.answer('src', skipped);
    expect(run.open).toEqual(['end']);
    expect(run.decisions).toEqual(['a skippedByCondition', 'b skippedByCondition']);
  });

  it('a member that needs something skipped is left out; the rest of the group runs', () => {
    const run = new Driver(
      scheduleOf(
        { x: [], a: ['x'], b: ['a'], c: ['b'] },
        { groups: [['a', 'b', 'c']], nodes: { b: { needs: ['x'] } } },
      ),
    );
    run.answer('x', skipped).expand('a', 1).finish('a[0]');
    expect(run.open).toEqual(['c[0]', 'gather a']);
    run.finish('c[0]', 'gather a', 'gather c');
    expect(run.decisions).toEqual(['b skippedByCondition']);
    expect(run.result.error).toBeNull();
  });
});

describe('I9 the inline budget of 50 instances', () => {
  const two = (): Driver =>
    new Driver(
      scheduleOf({ a: [], b: ['a'], x: [], y: ['x'] }, { groups: [['a'], ['x'], ['y']], maxItems: 30, window: 50 }),
    );

  it('two expansions in flight never hold more than the budget together', () => {
    const run = two();
    const granted = ['expand a', 'expand x'].map((name) => inputOf(run.call(name)).inlineLeft ?? 0);
    expect(granted).toEqual([30, 20]);
  });

  it('what an expansion did not use goes back to the next; a retry asks for the same', () => {
    const run = two();
    run.fail('expand x', 'transient').expand('a', 10);
    run.hand.advance(1_300);
    expect(inputOf(run.call('expand x')).inlineLeft).toBe(20);
    run.expand('x', 5).finish('x[0]', 'x[1]', 'x[2]', 'x[3]', 'x[4]', 'gather x');
    expect(inputOf(run.call('expand y')).inlineLeft).toBe(30);
  });
});

describe('I4 for expansions and gathers', () => {
  it.each([
    ['expand a', { nodeId: 'zzz' }],
    ['expand a', { attempt: 2 }],
    ['expand a', { item: 0 }],
    ['gather a', { nodeId: 'b' }],
    ['gather a', { attempt: 9 }],
    ['a[0]', { item: 1 }],
    ['a[0]', { item: -1 }],
  ])('refuses a result of %s that names %j', (name, wrong) => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }, { groups: [['a']] }));
    const state = (input: unknown): Record<string, unknown> => ({
      version: 1,
      nodeId: 'a',
      item: (input as { item?: number }).item ?? -1,
      attempt: 1,
      ...(name === 'expand a' ? { state: 'expanded', count: 1, mode: 'inline' } : { state: 'done', outputs: {} }),
    });
    if (name !== 'expand a') run.expand('a', 1);
    if (name === 'gather a') run.finish('a[0]');
    run.answer(name, (input) => ({ ...state(input), ...wrong }));
    run.told();
    expect(run.result.error).toMatchObject({ code: 'DETERMINISM_VIOLATION' });
    expect(run.result.error?.message).toContain('I4');
  });
});
