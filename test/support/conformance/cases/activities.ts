/** Activities: inputs, results, failures, retries. */
import type { ConformanceCase } from '../types.ts';
import { runs } from './runs.ts';

export const activityCases: readonly ConformanceCase[] = [
  runs('chain', 'a chain of activities', 'chain', { city: 'Roma' }),
  runs('activity-inputs', 'Q25 activities are given every kind of input', 'inputKinds', null),
  runs('activity-results', 'Q6 activities answer every kind of result', 'resultKinds', [
    'string',
    'empty',
    'number',
    'zero',
    'true',
    'false',
    'null',
    'nothing',
    'object',
    'array',
    'date',
    'jsonText',
  ]),
  runs('failure-caught', 'Q7 a failed activity is caught: two spaces, and details', 'catchesFailure', 'disk full'),
  runs('failure-of-lines', 'a failure text of several lines', 'catchesFailure', 'one\ntwo\n  three'),
  runs('failure-escapes', 'a failure that nobody catches fails the instance', 'escapes'),
  runs('throws', 'an orchestrator that throws after an activity', 'throws', 'of its own'),
  runs('retry-succeeds', 'a retry that succeeds at the second attempt', 'retries', { key: 'once', failures: 1 }),
  runs('retry-exhausted', 'a retry that is used up: one more timer, then the failure', 'retries', {
    key: 'always',
    failures: 9,
  }),
  runs('all-with-failure', 'Task.all with a failing branch goes on when the slow branch has ended', 'allWithFailure'),
  runs('name-in-other-case', 'Q29 an activity called by its name in other case', 'callsInOtherCase'),
  {
    name: 'unknown-activity',
    title: 'Q13 a call of an unknown activity',
    async run(talk) {
      await talk.start('callsUnknown', 'unknown-activity');
      await talk.untilCustom('unknown-activity', 'called');
      await talk.seen('unknown-activity');
    },
  },
];
