/**
 * Differences between embedded host and engine that are kept on purpose. Each says what the embedded host answers
 * instead, so that it is tested too; the reason stands in the test's name.
 */
import type { Answer, Recording } from './types.ts';

export interface Allowed {
  readonly reason: string;
  /** The answers that differ, by their place in the recording. */
  readonly answers: readonly { readonly at: number; readonly embedded: (engine: Answer) => Partial<Answer> }[];
}

/** A status body without the events of one type. */
function withoutEvents(body: unknown, eventType: string): unknown {
  const status = body as { readonly historyEvents: readonly { readonly EventType: string }[] };
  return { ...status, historyEvents: status.historyEvents.filter((event) => event.EventType !== eventType) };
}

const noJson: Partial<Answer> = {
  status: 400,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: {
    Message: 'Invalid JSON content',
    ExceptionMessage: '<where the JSON is wrong>',
    ExceptionType: 'Newtonsoft.Json.JsonReaderException',
    StackTrace: '<stack>',
  },
};

export const ALLOWED: ReadonlyMap<string, Allowed> = new Map<string, Allowed>([
  [
    'event-loose-json',
    {
      reason: 'the engine reads loose JSON and drops what it does not understand; here only JSON is taken',
      answers: [1, 2, 3, 4, 5, 6].map((at) => ({ at, embedded: () => noJson })),
    },
  ],
  [
    'rewind',
    {
      reason: 'a rewind is refused by name',
      answers: [
        {
          at: 8,
          embedded: () => ({
            status: 501,
            headers: { 'content-type': 'text/plain; charset=utf-8' },
            body: 'The embedded host does not support rewind.',
          }),
        },
      ],
    },
  ],
  [
    'changes-in-history',
    {
      reason: 'the engine still schedules what a non-deterministic instance asked for last; here that is dropped',
      answers: [{ at: 1, embedded: ({ body }) => ({ body: withoutEvents(body, 'TimerCreated') }) }],
    },
  ],
]);

/** What the embedded host has to record where the engine recorded `golden`. */
export function expectedOfEmbedded(name: string, golden: Recording): Recording {
  const allowed = ALLOWED.get(name);
  if (allowed === undefined) return golden;
  const changes = new Map(allowed.answers.map(({ at, embedded }) => [at, embedded]));
  return { ...golden, answers: golden.answers.map((answer, at) => ({ ...answer, ...changes.get(at)?.(answer) })) };
}
