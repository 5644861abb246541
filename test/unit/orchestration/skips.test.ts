import { describe, expect, it } from 'vitest';
import { scheduleOf, skipped } from '../../support/schedules.ts';
import { Driver, inputOf } from './driver.ts';

describe('skips in consequence', () => {
  it('a node that needs a skipped one is skipped too and says why; the decision rides in the next activity (I5)', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'], c: ['b'] }, { nodes: { b: { needs: ['a'] } } }));
    run.answer('a', skipped);
    expect(inputOf(run.call('c')).decisions).toEqual([
      { seq: 1, nodeId: 'b', item: -1, kind: 'skippedByCondition', attempt: 0, reason: 'needs a, which was skipped' },
    ]);
    run.finish('c');
    expect(run.result).toMatchObject({ error: null, decisions: [] });
  });

  it('an edge without a need, or a use with a default, lets the node run', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }));
    run.answer('a', skipped);
    expect(run.open).toEqual(['b']);
  });

  it('passes on along needs: a chain of 200 nodes in one turn', () => {
    const ids = Array.from({ length: 200 }, (_, i) => `n${String(i).padStart(3, '0')}`);
    const before = (i: number): string[] => (i === 0 ? [] : [ids[i - 1] ?? '']);
    const run = new Driver(
      scheduleOf(Object.fromEntries(ids.map((id, i) => [id, before(i)])), {
        nodes: Object.fromEntries(ids.slice(1).map((id, i) => [id, { needs: before(i + 1) }])),
      }),
    );
    run.answer('n000', skipped);
    expect(run.result.error).toBeNull();
    expect(run.decisions).toHaveLength(199);
  });

  it('onFailure: continue does not stop the run; what needs it is skipped by failure, the rest runs', () => {
    const run = new Driver(
      scheduleOf(
        { a: [], b: ['a'], c: ['b'], d: ['a'] },
        { nodes: { a: { soft: true }, b: { needs: ['a'] }, c: { needs: ['b'] } } },
      ),
    );
    run.fail('a');
    expect(run.open).toEqual(['d']);
    run.finish('d');
    expect(run.result.error).toBeNull();
    expect(run.decisions).toEqual(['b skippedByFailure', 'c skippedByFailure']);
  });

  it('a tolerated node is retried like any other before its failure counts', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }, { nodes: { a: { soft: true } } }));
    run.fail('a', 'transient');
    run.hand.advance(1_300);
    run.fail('a', 'transient');
    run.hand.advance(2_500);
    run.fail('a', 'transient');
    expect(run.open).toEqual(['b']);
  });

  it('a lost platform is nobody’s tolerated failure', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'] }, { attempts: 1, nodes: { a: { soft: true } } }));
    for (let i = 0; i < 5; i += 1) {
      run.lose('a');
      run.hand.advance(60_000);
    }
    run.told();
    expect(run.result.error).toMatchObject({ code: 'TOOL_FAILED', class: 'transient' });
  });

  it('decisions whose call was lost, held or failed ride again until an answer proves that they were written', () => {
    const run = new Driver(scheduleOf({ a: [], b: ['a'], c: ['b'], d: ['c'] }, { nodes: { b: { needs: ['a'] } } }));
    run.answer('a', skipped);
    const [decision] = inputOf(run.call('c')).decisions;
    run.lose('c');
    run.hand.advance(2_000);
    expect(inputOf(run.call('c')).decisions[0]).toEqual(decision);
    run.finish('c');
    expect(inputOf(run.call('d')).decisions).toEqual([]);
  });
});
