/** Orchestrators that break the rules. */
import type { ConformanceCase } from '../types.ts';
import { runs } from './runs.ts';

/** Without its history, which the engine can't show when it holds two schedules of one number. */
const changes = (name: string, first: string, second: string): ConformanceCase => ({
  name: `changes-${name}`,
  title: `non-determinism: first ${first}, then ${second}`,
  async run(talk) {
    const id = `changes-${name}`;
    await talk.start('changesItsMind', id, [first, second]);
    await talk.untilStatus(id, 'Failed');
    await talk.status(id);
  },
});

export const brokenCases: readonly ConformanceCase[] = [
  {
    name: 'throws-nothing',
    title: 'Q11 an error without a text, or a thrown text, after an activity',
    async run(talk) {
      await talk.start('throws', 'throws-nothing-1', '');
      await talk.end('throws-nothing-1');
      await talk.start('throwsText', 'throws-nothing-2');
      await talk.end('throws-nothing-2');
    },
  },
  runs('throws-nothing-at-once', 'Q11 an error without a text in the first episode', 'throwsAtOnce', ''),
  runs('throws-at-once', 'an error in the first episode', 'throwsAtOnce', 'at once'),
  {
    name: 'child-throws-nothing',
    title: 'Q11 a child that throws an error without a text',
    async run(talk) {
      const id = 'child-throws-nothing';
      await talk.start('parent', id, { name: 'throwsAtOnce', input: '', id: `${id}-c` });
      await talk.end(id);
      await talk.end(`${id}-c`);
    },
  },
  changes('activity', 'activity', 'otherActivity'),
  changes('activity-to-child', 'activity', 'child'),
  changes('activity-to-timer', 'activity', 'timer'),
  changes('activity-to-event', 'activity', 'event'),
  changes('activity-to-end', 'activity', 'nothing'),
  changes('child', 'child', 'otherChild'),
  changes('child-to-activity', 'child', 'activity'),
  changes('child-to-end', 'child', 'nothing'),
  changes('timer-to-activity', 'timer', 'activity'),
  changes('timer-to-end', 'timer', 'nothing'),
  runs('changes-in-history', 'the history of a non-deterministic instance', 'changesItsMind', ['activity', 'timer']),
];
