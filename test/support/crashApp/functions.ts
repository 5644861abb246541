/**
 * An app for crash tests on both hosts. What happens is written to the file CRASH_LOG, a line an event; an activity waits
 * until the file CRASH_LOG.go exists.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { app } from '@azure/functions';
import * as df from 'durable-functions';

const LOG = process.env['CRASH_LOG'] ?? '';
const note = (line: string): void => appendFileSync(LOG, `${line}\n`);

/** True the first time that it is asked for this name, over all processes. */
function firstTime(name: string): boolean {
  const marker = `${LOG}.${name}`;
  if (existsSync(marker)) return false;
  writeFileSync(marker, '');
  return true;
}

df.app.activity('slow', {
  handler: async (name: string) => {
    note(`begin ${name}`);
    while (!existsSync(`${LOG}.go`)) await delay(20);
    note(`end ${name}`);
    return `done ${name}`;
  },
});
df.app.activity('deadly', {
  handler: (name: string) => {
    note(`begin ${name}`);
    if (firstTime(name)) process.kill(process.pid, 'SIGKILL');
    return `survived ${name}`;
  },
});
df.app.activity('quick', {
  handler: async (name: string) => {
    note(`begin ${name}`);
    await delay(150);
    note(`end ${name}`);
    return name;
  },
});

df.app.orchestration('callSlow', function* (context) {
  return (yield context.df.callActivity('slow', context.df.instanceId)) as string;
});
df.app.orchestration('callDeadly', function* (context) {
  try {
    return (yield context.df.callActivity('deadly', context.df.instanceId)) as string;
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
});
/** Not deterministic on purpose: its first replay kills the process. */
df.app.orchestration('deadlyOrchestrator', function* (context) {
  const answer = (yield context.df.callActivity('quick', context.df.instanceId)) as string;
  if (firstTime(context.df.instanceId)) process.kill(process.pid, 'SIGKILL');
  return answer;
});
df.app.orchestration('callSix', function* (context) {
  const tasks = Array.from({ length: 6 }, (_, i) => context.df.callActivity('quick', `${context.df.instanceId}-${i}`));
  return (yield context.df.Task.all(tasks)) as string[];
});

app.http('begin', {
  route: 'begin/{name}/{id}',
  methods: ['POST'],
  extraInputs: [df.input.durableClient()],
  handler: async (request, context) => {
    const client = df.getClient(context);
    const id = await client.startNew(request.params['name'] ?? '', { instanceId: request.params['id'] ?? '' });
    return client.createCheckStatusResponse(request, id);
  },
});
app.http('locked', { authLevel: 'function', handler: () => Promise.resolve({ body: 'open' }) });
app.timer('onceAYear', {
  schedule: '0 0 0 1 1 *',
  handler: (timer) => note(`timer ${String(timer.isPastDue)}`),
});
