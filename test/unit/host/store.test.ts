import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeEpisode, openEpisode } from '../../../src/local/host/durable/episode.ts';
import { commitEpisode, createInstance } from '../../../src/local/host/engine/commitEpisode.ts';
import { StoreLockedError } from '../../../src/local/host/store/lock.ts';
import { openStore, type Store } from '../../../src/local/host/store/store.ts';
import { stateFolder } from '../../support/hostApp/start.ts';

const NOW = Date.parse('2026-01-05T10:00:00Z');
let state: ReturnType<typeof stateFolder>;
let store: Store;
beforeEach(() => {
  state = stateFolder();
  store = openStore(state.path);
});
afterEach(() => {
  store.close();
  state.remove();
});

const create = (instanceId: string, at = NOW, executionId = `e-${instanceId}`): void =>
  store.transaction(() =>
    createInstance(store, { instanceId, executionId, name: 'f', version: '', input: '1', parent: null, at }),
  );

/** An episode of `i` that asks for one activity, one timer and one child. */
function episode(childId: string): Parameters<typeof commitEpisode>[1] {
  const record = store.instances.get('i');
  if (record === undefined) throw new Error('no instance');
  const messages = store.inbox.due('i', NOW);
  const fresh = openEpisode(
    [],
    messages.map((m) => m.event),
    NOW,
  );
  const actions = [
    {
      actionType: 11,
      compoundActions: [
        { actionType: 0, functionName: 'a', input: '"x"' },
        { actionType: 5, fireAt: '2026-01-05T11:00:00Z' },
        { actionType: 2, functionName: 'f', instanceId: childId },
      ],
    },
  ] as never;
  const answer = {
    actions,
    isDone: false,
    output: null,
    customStatus: undefined,
    error: undefined,
    failureDetails: null,
  };
  const result = closeEpisode([], fresh, answer, NOW, {
    instanceId: 'i',
    executionId: record.executionId,
    parentInstanceId: null,
    functionName: 'f',
    isKnown: () => true,
    maxActions: 10,
    storeInputs: false,
    strict: false,
  });
  return { record, position: 0, consumed: messages.map((m) => m.seq), result, at: NOW };
}
const newId = (): string => 'new';

describe('the store', () => {
  it('Q32 a second host cannot open it, also in another connection of the same process; afterwards it can', () => {
    expect(() => openStore(state.path)).toThrow(StoreLockedError);
    store.close();
    store = openStore(state.path);
    expect(store.instances.list({})).toEqual([]);
  });

  it('keeps event text byte for byte', () => {
    const text = '{"b":1.0,"a":"\\u2028","n":12345678901234567890}';
    store.instances.appendHistory('i', 0, [text, '{}']);
    expect(store.instances.history('i')).toEqual([text, '{}']);
  });

  it('makes secrets once', () => {
    const first = store.secret('k');
    store.close();
    store = openStore(state.path);
    expect(store.secret('k')).toBe(first);
    expect(store.secret('other')).not.toBe(first);
  });

  it('one transaction an episode: history, status, timer, activity and child together', () => {
    create('i');
    const aftermath = store.transaction(() => commitEpisode(store, episode('child'), newId));
    expect(aftermath).toMatchObject({ kicked: ['child'], timers: [NOW + 3_600_000] });
    expect(store.inbox.due('i', NOW)).toEqual([]);
    expect(store.inbox.due('i', NOW + 3_600_000)).toHaveLength(1);
    expect(store.activities.all()).toMatchObject([{ taskId: 0, input: '["\\"x\\""]' }]);
    expect(store.instances.get('child')).toMatchObject({ status: 'Pending', parent: { TaskScheduleId: 2 } });
    expect(store.instances.history('i').length).toBe(6);
  });

  it('an episode that fails half way leaves nothing behind, and its messages are there again', () => {
    create('i');
    const failing = {
      ...store,
      activities: {
        add: () => {
          throw new Error('disk full');
        },
      },
    } as unknown as Store;
    expect(() => store.transaction(() => commitEpisode(failing, episode('child'), newId))).toThrow('disk full');
    expect(store.instances.get('child')).toBeUndefined();
    expect(store.instances.history('i')).toEqual([]);
    expect(store.instances.get('i')?.status).toBe('Pending');
    expect(store.inbox.due('i', NOW)).toHaveLength(1);
  });

  it('commits of one turn are flushed together, and one that fails takes no other with it', async () => {
    create('i');
    create('other');
    const failing = store.commit(() => {
      store.instances.appendHistory('i', 0, ['{}']);
      throw new Error('this one alone');
    });
    const fine = store.commit(() => store.instances.appendHistory('other', 0, ['{}']));
    expect(store.instances.history('other')).toEqual([]);
    await expect(failing).rejects.toThrow('this one alone');
    await fine;
    expect(store.instances.history('i')).toEqual([]);
    expect(store.instances.history('other')).toEqual(['{}']);
  });

  it('a child id that a running instance has fails the call clearly', () => {
    create('i');
    create('taken');
    const aftermath = store.transaction(() => commitEpisode(store, episode('taken'), newId));
    expect(aftermath.kicked).toEqual(['i']);
    expect(store.inbox.due('i', NOW)[0]?.event).toMatchObject({
      EventType: 9,
      TaskScheduledId: 2,
      Details: expect.stringMatching(/already running/),
    });
    expect(store.instances.get('taken')?.executionId).toBe('e-taken');
  });

  it('lists by prefix, time, status and page; a prefix is no pattern', () => {
    create('a_1', NOW);
    create('ab1', NOW + 1);
    create('b', NOW + 2);
    const ids = (filter: Parameters<Store['instances']['list']>[0]): string[] =>
      store.instances.list(filter).map((r) => r.instanceId);
    expect(ids({ prefix: 'a_' })).toEqual(['a_1']);
    expect(ids({ createdFrom: NOW + 1, createdTo: NOW + 1 })).toEqual(['ab1']);
    expect(ids({ statuses: ['Completed'] })).toEqual([]);
    expect(ids({ top: 2 })).toEqual(['a_1', 'ab1']);
    expect(ids({ top: 2, after: 'ab1' })).toEqual(['b']);
  });
});
