/** Timers beside events. */
import type { ConformanceCase } from '../types.ts';
import { runs } from './runs.ts';

export const timerCases: readonly ConformanceCase[] = [
  {
    name: 'timer-cancelled',
    title: 'the event wins against a timer, which is cancelled',
    async run(talk) {
      await talk.start('approval', 'timer-cancelled', { ms: 60_000, cancel: true });
      await talk.untilCustom('timer-cancelled', 'waiting');
      await talk.status('timer-cancelled', 'showHistory=true');
      await talk.raise('timer-cancelled', 'go', 'yes');
      await talk.end('timer-cancelled');
    },
  },
  runs('timer-wins', 'the timer wins against an event', 'approval', { ms: 700, cancel: true }),
  {
    name: 'timer-left-open',
    title: 'Q17 a timer that nobody cancelled keeps the instance Running until it fires',
    async run(talk) {
      const id = 'timer-left-open';
      await talk.start('approval', id, { ms: 5_000, cancel: false });
      await talk.untilCustom(id, 'waiting');
      await talk.raise(id, 'go', 'yes');
      await talk.untilShown(id, 'EventRaised');
      await talk.status(id);
      await talk.end(id);
    },
  },
  runs('timer-in-the-past', 'a timer in the past fires at once', 'timerInThePast'),
];
