/** Activities of the host's test app. */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { InvocationContext } from '@azure/functions';
import * as df from 'durable-functions';

/** Says what kind of value arrived. */
df.app.activity('describe', {
  handler: (input: unknown) => ({
    type: input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input,
    value: input ?? null,
  }),
});

df.app.activity('echo', { handler: (input: unknown) => input });

df.app.activity('fail', {
  handler: (message: unknown) => {
    throw new Error(String(message));
  },
});

/** Fails the first `failures` times for a key, then answers with the number of tries. */
const tries = new Map<string, number>();
df.app.activity('flaky', {
  handler: ({ key, failures }: { key: string; failures: number }) => {
    const count = (tries.get(key) ?? 0) + 1;
    tries.set(key, count);
    if (count <= failures) throw new Error(`try ${count}`);
    return count;
  },
});

/** Adds one line to a file, so that a test in another process can count executions. */
df.app.activity('record', {
  handler: async ({ key, ms }: { key: string; ms: number }) => {
    if (ms > 0) await delay(ms);
    const file = process.env['HOST_TEST_LOG'];
    if (file !== undefined) appendFileSync(file, `${key}\n`);
    return { key };
  },
});

/** An activity with a durable client. */
df.app.activity('raiseTo', {
  extraInputs: [df.input.durableClient()],
  handler: async (
    { instanceId, name, data }: { instanceId: string; name: string; data: unknown },
    context: InvocationContext,
  ) => {
    await df.getClient(context).raiseEvent(instanceId, name, data);
    return 'raised';
  },
});
