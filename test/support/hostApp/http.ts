/** HTTP and timer functions of the host's test app. */
import { app, type HttpRequest, type InvocationContext } from '@azure/functions';
import * as df from 'durable-functions';

app.http('items', {
  methods: ['GET', 'POST'],
  route: 'items/{id:int}/{part?}',
  authLevel: 'function',
  handler: async (request: HttpRequest) => ({
    jsonBody: {
      method: request.method,
      id: request.params['id'],
      part: request.params['part'] ?? null,
      x: request.query.getAll('x'),
      body: await request.text(),
      url: request.url,
    },
    cookies: [{ name: 'seen', value: 'a b', httpOnly: true, sameSite: 'Strict' }],
  }),
});

app.http('files', {
  methods: ['GET'],
  route: 'files/{*path}',
  handler: (request) => ({ body: request.params['path'] ?? '' }),
});
app.http('nothing', { handler: () => Promise.resolve() as Promise<never> });
app.http('throws', {
  handler: () => {
    throw new Error('a handler failed');
  },
});
app.http('binary', {
  methods: ['POST'],
  handler: async (request) => ({ body: new Uint8Array(await request.arrayBuffer()) }),
});
app.http('secret', { methods: ['GET'], authLevel: 'admin', handler: () => ({ body: 'secret' }) });

app.http('startFromHttp', {
  methods: ['POST'],
  route: 'start/{name}',
  extraInputs: [df.input.durableClient()],
  handler: async (request: HttpRequest, context: InvocationContext) => {
    const client = df.getClient(context);
    const instanceId = await client.startNew(request.params['name'] ?? '', { input: await request.json() });
    return client.createCheckStatusResponse(request, instanceId);
  },
});

/** Calls one method of the durable client with the arguments of the body; the answer, or the error's message. */
app.http('client', {
  methods: ['POST'],
  route: 'client/{method}',
  extraInputs: [df.input.durableClient()],
  handler: async (request: HttpRequest, context: InvocationContext) => {
    const client = df.getClient(context) as unknown as Record<string, (...args: unknown[]) => unknown>;
    const args = (await request.json()) as unknown[];
    const name = request.params['method'] ?? '';
    try {
      return { jsonBody: { ok: true, value: (await client[name]?.(...args.map(reviveDates))) ?? null } };
    } catch (error) {
      return { jsonBody: { ok: false, message: (error as Error).message } };
    }
  },
});

/** The SDK wants Date objects in its filters. */
function reviveDates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      key.startsWith('createdTime') ? new Date(String(field)) : (field as unknown),
    ]),
  );
}

export interface TimerRun {
  readonly isPastDue: boolean;
  readonly scheduleStatus?: unknown;
}
/** Where a test sees the runs: the app and the test share this process. */
export const timerRuns: TimerRun[] = ((globalThis as { hostTestTimerRuns?: TimerRun[] }).hostTestTimerRuns ??= []);
app.timer('everyHour', { schedule: '0 0 * * * *', handler: (timer) => void timerRuns.push(timer) });
