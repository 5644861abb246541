import { describe, expect, it } from 'vitest';
import type { Pending, Step } from '../../../src/orchestration/verbs.ts';
import { childDone, done, failed, fired, History, raised, replay, shape, START } from './sdkReplay.ts';
import type { Body } from './sdkReplay.ts';

/** Sliding window over named activities: the plainest user of the verbs. */
const windowed = (names: readonly string[], width: number): Body =>
  function* (verbs) {
    const open = new Set<Pending>();
    const results: unknown[] = [];
    const waiting = [...names];
    for (;;) {
      while (open.size < width && waiting.length > 0) open.add(verbs.activity(waiting.shift() ?? '', null));
      if (open.size === 0) return results;
      const first = yield* verbs.firstOf([...open]);
      open.delete(first);
      results.push([first.label, first.outcome()]);
    }
  };
const ok = (value: unknown): unknown => ({ ok: true, value });

describe('action list: each numbered task stands in it exactly once', () => {
  const six = windowed(['a', 'b', 'c', 'd', 'e', 'f'], 2);

  it('O-02 window 2, completions b and a in one batch, then c, e, d: a b c d e f once each', async () => {
    const history = new History();
    expect(shape(await replay(six, history))).toBe('any(a b)');
    history.batch(done(1, 'B'), done(0, 'A'));
    expect(shape(await replay(six, history))).toBe('any(a b) any(c d)');
    history.batch(done(2, 'C'));
    expect(shape(await replay(six, history))).toBe('any(a b) any(c d) any(e)');
    history.batch(done(4, 'E')).batch(done(3, 'D'));
    const open = await replay(six, history);
    expect(shape(open)).toBe('any(a b) any(c d) any(e) any(f)');
    expect(open.isDone).toBe(false);
    const end = await replay(six, history.batch(done(5, 'F')));
    expect(shape(end)).toBe('any(a b) any(c d) any(e) any(f)');
    expect(end.output).toEqual([
      ['b', ok('B')],
      ['a', ok('A')],
      ['c', ok('C')],
      ['e', ok('E')],
      ['d', ok('D')],
      ['f', ok('F')],
    ]);
  });

  it('an action list of a later episode extends the earlier one, action for action', async () => {
    const history = new History();
    let before: string[] = [];
    for (const id of [0, 2, 1, 3, 5, 4]) {
      const now =
        shape(await replay(six, history))
          .replaceAll('any', '')
          .match(/[a-f]/g) ?? [];
      expect(now.slice(0, before.length)).toEqual(before);
      before = now;
      history.batch(done(id));
    }
    expect(before).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('a task started while nothing listed is settled joins the action that the extension stands at', async () => {
    const body: Body = function* (verbs) {
      const a = verbs.activity('a', 1);
      const go = verbs.event('go');
      yield* verbs.firstOf([a, go]);
      const b = verbs.child('b', 'i1-b', { x: 1 });
      const rest = [a, b];
      const order: string[] = [];
      while (rest.length > 0) {
        const first = yield* verbs.firstOf(rest);
        rest.splice(rest.indexOf(first), 1);
        order.push(first.label);
      }
      return order;
    };
    const history = new History().batch(raised('go', null));
    const open = await replay(body, history);
    expect(shape(open)).toBe('any(a b)');
    expect(open.actions[0]?.compoundActions?.[1]).toMatchObject({ actionType: 2, instanceId: 'i1-b', input: { x: 1 } });
    expect((await replay(body, history.batch(childDone(1, 7), done(0)))).output).toEqual(['b', 'a']);
  });

  it('a cancelled timer stays where it was listed and is marked', async () => {
    const body: Body = function* (verbs) {
      const timer = verbs.time(verbs.now() + 60_000);
      const first = yield* verbs.firstOf([timer, verbs.event('approve')]);
      timer.cancel();
      timer.cancel();
      const after = verbs.activity('after', null);
      yield* verbs.firstOf([after]);
      return [first.label, timer.outcome() ?? 'open'];
    };
    const history = new History();
    expect(shape(await replay(body, history))).toBe('any(timer)');
    history.batch(raised('approve', true));
    expect(shape(await replay(body, history))).toBe('any(timer! after)');
    // The late TimerFired of a cancelled timer is not a result.
    expect((await replay(body, history.batch(fired(0)).batch(done(1)))).output).toEqual(['approve', 'open']);
  });

  it('a timer cancelled before any wait is never listed', async () => {
    const body: Body = function* (verbs) {
      const timer = verbs.time(verbs.now() + 1_000);
      timer.cancel();
      yield* verbs.firstOf([timer, verbs.activity('a', null)]);
      return null;
    };
    expect(shape(await replay(body))).toBe('any(a)');
  });

  it('nothing is listed while a settled one waits to be taken', async () => {
    const body: Body = function* (verbs) {
      const [a, b] = [verbs.activity('a', null), verbs.activity('b', null)];
      yield* verbs.firstOf([a, b]);
      const c = verbs.activity('c', null);
      yield* verbs.firstOf([a, c]);
      return 'ended without waiting for c';
    };
    const answer = await replay(body, new History().batch(done(0), done(1)));
    expect([shape(answer), answer.isDone]).toEqual(['any(a b)', true]);
  });
});

describe('events', () => {
  const collect = (name: string, count: number): Body =>
    function* (verbs) {
      const got: unknown[] = [];
      for (let i = 0; i < count; i++) got.push((yield* verbs.firstOf([verbs.event(name)])).outcome());
      return got;
    };

  it('event waiters are never listed', async () => {
    const answer = await replay(collect('go', 1));
    expect([answer.actions, answer.isDone]).toEqual([[], false]);
  });

  it('O-05 an event raised while an activity runs is delivered to the wait that comes later', async () => {
    const body: Body = function* (verbs) {
      yield* verbs.firstOf([verbs.activity('a', null)]);
      return (yield* verbs.firstOf([verbs.event('approve')])).outcome();
    };
    expect((await replay(body, new History().batch(raised('approve', 'yes')).batch(done(0)))).output).toEqual(
      ok('yes'),
    );
  });

  it('three events of one name before anybody waits are all delivered, oldest first', async () => {
    const history = new History().batch(raised('go', 1), raised('go', 2), raised('go', 3));
    expect((await replay(collect('go', 3), history)).output).toEqual([ok(1), ok(2), ok(3)]);
  });

  it('two early events of different names: the second is not lost', async () => {
    const body: Body = function* (verbs) {
      yield* verbs.firstOf([verbs.activity('a', null)]);
      const open = [verbs.event('x'), verbs.event('y')];
      const first = yield* verbs.firstOf(open);
      const second = yield* verbs.firstOf(open.filter((pending) => pending !== first));
      return [first.label, second.label];
    };
    const answer = await replay(body, new History().batch(raised('y', 1), raised('x', 2), done(0)));
    expect(answer.output).toEqual(['x', 'y']);
  });

  it('a waiter that took part in many waits takes one event; the next one is kept for the next waiter', async () => {
    const body: Body = function* (verbs) {
      const go = verbs.event('go');
      const open = new Set<Pending>([go, verbs.activity('a', null), verbs.activity('b', null)]);
      for (let i = 0; i < 2; i++) open.delete(yield* verbs.firstOf([...open]));
      const first = yield* verbs.firstOf([...open]);
      // While nobody waits for it, the second event must not go to the first waiter again.
      yield* verbs.firstOf([verbs.activity('c', null)]);
      const second = yield* verbs.firstOf([verbs.event('go')]);
      return [first.outcome(), second.outcome()];
    };
    const history = new History()
      .batch(done(0))
      .batch(done(1))
      .batch(raised('go', 'one'), raised('go', 'two'))
      .batch(done(2));
    expect((await replay(body, history)).output).toEqual([ok('one'), ok('two')]);
  });

  it.each(['0', '17'])('I12 an event named %j is refused', async (name) => {
    await expect(replay(collect(name, 1))).rejects.toThrow('I12');
  });
});

describe('outcomes, order and bounds', () => {
  it('a failure is a value without the details of the .NET exception', async () => {
    const answer = await replay(
      windowed(['a'], 1),
      new History().batch(failed(0, "Activity function 'a' failed:  disk full")),
    );
    expect(answer.output).toEqual([['a', { ok: false, message: "Activity function 'a' failed:  disk full" }]]);
  });

  it('results are taken in the order of arrival, not of the list, also when some were not waited for', async () => {
    const body: Body = function* (verbs): Step<unknown> {
      const [a, b, c] = ['a', 'b', 'c'].map((name) => verbs.activity(name, null)) as [Pending, Pending, Pending];
      yield* verbs.firstOf([a, b, c]);
      yield* verbs.firstOf([verbs.event('later')]);
      return (yield* verbs.firstOf([a, b, c].filter((p) => p !== b))).label;
    };
    const history = new History().batch(done(1)).batch(done(2), done(0)).batch(raised('later', null));
    expect((await replay(body, history)).output).toBe('c');
  });

  it('now is the clock of the history', async () => {
    const body: Body = function* (verbs) {
      const before = verbs.now();
      yield* verbs.firstOf([verbs.activity('a', null)]);
      return [before, verbs.now()];
    };
    expect((await replay(body, new History().batch(done(0)))).output).toEqual([START, START + 1_000]);
  });

  const once = (act: (verbs: Parameters<Body>[0]) => unknown): Body =>
    // eslint-disable-next-line require-yield -- the refusal comes before the first wait
    function* (verbs): Step<unknown> {
      return act(verbs);
    };

  it.each([
    ['I11 a timer of more than 2 days', (v) => v.time(START + 2 * 86_400_000 + 1), 'I11'],
    ['a timer at NaN', (v) => v.time(Number.NaN), 'finite'],
    ['I9 a custom status of 4 096 units', (v) => v.status('x'.repeat(4_094)), 'I9'],
    ['waiting for nothing', (v) => v.firstOf([]).next(), 'nothing to wait for'],
    [
      'a foreign pending',
      (v) => v.firstOf([{ kind: 'event', label: 'alien', outcome: () => undefined }]).next(),
      'alien',
    ],
  ] as [string, (verbs: Parameters<Body>[0]) => unknown, string][])('%s is refused', async (_name, act, text) => {
    await expect(replay(once(act))).rejects.toThrow(text);
  });

  it('a timer in the past and a status below the limit are accepted', async () => {
    const body: Body = function* (verbs) {
      verbs.status('x'.repeat(4_093));
      yield* verbs.firstOf([verbs.time(START - 1)]);
      return null;
    };
    const answer = await replay(body);
    expect(answer.customStatus).toHaveLength(4_093);
    expect(shape(answer)).toBe('any(timer)');
  });

  it('I11 no timer fires later than 5 days after the start of the instance', async () => {
    const body: Body = function* (verbs) {
      for (let day = 1; day <= 5; day++) yield* verbs.firstOf([verbs.time(verbs.now() + 2 * 86_400_000)]);
      return null;
    };
    const history = new History();
    const day = (n: number): Record<string, unknown> => ({
      EventType: 12,
      Timestamp: new Date(START + n * 86_400_000),
    });
    history.batch(day(2), fired(0)).batch(day(4), fired(1));
    await expect(replay(body, history)).rejects.toThrow('I11');
  });
});
