/** External events. */
import type { ConformanceCase } from '../types.ts';

export const eventCases: readonly ConformanceCase[] = [
  {
    name: 'event',
    title: 'an event with every kind of data',
    async run(talk) {
      const data: readonly unknown[] = [{ ok: true }, 'text', '', 5, false, null, [1], '2001-02-03T04:05:06Z'];
      for (const [i, value] of data.entries()) {
        const id = `event-${String(i)}`;
        await talk.start('waits', id);
        await talk.untilCustom(id, 'waiting');
        await talk.status(id);
        await talk.raise(id, 'go', value);
        await talk.end(id);
      }
    },
  },
  {
    name: 'event-early',
    title: 'an event raised before the instance waits is kept for it; a second one of that name is the next',
    async run(talk) {
      const id = 'event-early';
      await talk.start('worksThenWaits', id, ['late', 'early', 'early']);
      await talk.untilCustom(id, 'working');
      await talk.raise(id, 'early', 1);
      await talk.raise(id, 'early', 2);
      await talk.untilShown(id, 'EventRaised', 2);
      talk.release(id);
      await talk.untilShown(id, 'TaskCompleted');
      await talk.raise(id, 'late', 3);
      await talk.end(id);
    },
  },
  {
    name: 'events-in-one-batch',
    title: 'two events that arrive together, in the order in which nobody waits',
    async run(talk) {
      const id = 'events-in-one-batch';
      await talk.start('bothEvents', id);
      await talk.untilCustom(id, 'waiting');
      await talk.post(id, 'suspend?reason=gather');
      await talk.untilStatus(id, 'Suspended');
      await talk.raise(id, 'b', 'second');
      await talk.raise(id, 'a', 'first');
      await talk.untilShown(id, 'EventRaised', 2);
      await talk.post(id, 'resume?reason=go');
      await talk.end(id);
    },
  },
  {
    name: 'event-in-other-case',
    title: 'Q14 an event name in other case: the engine takes it, the SDK does not',
    async run(talk) {
      const id = 'event-in-other-case';
      await talk.start('waits', id);
      await talk.untilCustom(id, 'waiting');
      await talk.raise(id, 'GO', 1);
      await talk.untilShown(id, 'EventRaised');
      await talk.raise(id, 'go', 2);
      await talk.end(id);
    },
  },
  {
    name: 'event-forged',
    title: 'Q15 an event named "0" becomes the result of task 0',
    async run(talk) {
      const id = 'event-forged';
      await talk.start('forged', id);
      await talk.untilCustom(id, 'working');
      await talk.raise(id, '0', 'forged');
      await talk.untilShown(id, 'EventRaised');
      await talk.status(id);
      talk.release(id);
      await talk.end(id);
    },
  },
  {
    name: 'event-repeated-waiters',
    title: 'Q16 of several waiters of one name the newest is served',
    async run(talk) {
      const id = 'event-repeated-waiters';
      await talk.start('repeatedWaiters', id);
      await talk.untilCustom(id, 'second');
      await talk.raise(id, 'go', 'once');
      await talk.end(id);
    },
  },
  {
    name: 'event-around-renewal',
    title: 'an event that the old generation has taken is lost by continue-as-new; ticks are counted one a generation',
    async run(talk) {
      await talk.start('renewsAfterWork', 'event-around-renewal-1', { generation: 1 });
      await talk.untilCustom('event-around-renewal-1', 'first');
      await talk.raise('event-around-renewal-1', 'tick', 1);
      await talk.untilShown('event-around-renewal-1', 'EventRaised');
      talk.release('event-around-renewal-1');
      await talk.untilCustom('event-around-renewal-1', 'second');
      await talk.seen('event-around-renewal-1');
      await talk.raise('event-around-renewal-1', 'end', 1);
      await talk.end('event-around-renewal-1');
      await talk.start('renews', 'event-around-renewal-2', { left: 2, seen: [] });
      await talk.untilCustom('event-around-renewal-2', { left: 2 });
      await talk.raise('event-around-renewal-2', 'tick', 'a');
      await talk.untilCustom('event-around-renewal-2', { left: 1 });
      await talk.raise('event-around-renewal-2', 'tick', 'b');
      await talk.end('event-around-renewal-2');
    },
  },
];
