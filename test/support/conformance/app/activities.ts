/** Activities of the conformance app. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as df from 'durable-functions';

df.app.activity('echo', { handler: (value: unknown) => value });

df.app.activity('describe', { handler: (value: unknown) => ({ type: typeof value, value: value ?? null }) });

/** What handlers can return, by name. */
const RESULTS = new Map<string, unknown>([
  ['string', 'text'],
  ['empty', ''],
  ['number', 2.5],
  ['zero', 0],
  ['true', true],
  ['false', false],
  ['null', null],
  ['nothing', undefined],
  ['object', { a: { b: [1, null] } }],
  ['array', [1, 'two', null]],
  ['date', '2001-02-03T04:05:06Z'],
  ['jsonText', '{"a":1}'],
]);
df.app.activity('give', { handler: (name: string) => RESULTS.get(name) });

df.app.activity('fail', {
  handler: (message: string) => {
    throw new Error(message);
  },
});

/** Answers when the case says so (`Talk.release`). */
df.app.activity('held', {
  handler: async (key: string) => {
    const released = join(process.env['CONFORMANCE_PAYLOADS'] ?? '', `released-${key}`);
    for (let tries = 0; !existsSync(released); tries += 1) {
      if (tries > 4_000) throw new Error(`${key} was never released`);
      await delay(15);
    }
    return 'released';
  },
});

/** Answers after some milliseconds. */
df.app.activity('slow', {
  handler: async ({ ms, value }: { ms: number; value: unknown }) => {
    await delay(ms);
    return value;
  },
});

const failed = new Map<string, number>();
/** Fails for the first `failures` calls of a key. */
df.app.activity('flaky', {
  handler: ({ key, failures }: { key: string; failures: number }) => {
    const tries = (failed.get(key) ?? 0) + 1;
    failed.set(key, tries);
    if (tries <= failures) throw new Error(`try ${String(tries)}`);
    return tries;
  },
});
