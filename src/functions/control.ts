import { app } from '@azure/functions';
import * as df from 'durable-functions';
import { cancelRun, resumeRun, suspendRun } from '../runs/control.ts';
import { json } from '../runs/http/problem.ts';
import { route, type RouteContext } from '../runs/http/route.ts';
import { idempotencyKey, runIdOf } from '../runs/request.ts';
import { retryRun } from '../runs/retry.ts';

const extraInputs = [df.input.durableClient()];

const asked = ({ services, caller, param, origin, engine }: RouteContext): Parameters<typeof cancelRun>[0] => ({
  services,
  caller,
  origin,
  engine: engine(),
  runId: runIdOf(param('id')),
});

app.http('runsCancel', {
  route: 'runs/{id}/cancel',
  methods: ['POST'],
  extraInputs,
  handler: route('POST /runs/{id}/cancel', async (context) => json(202, await cancelRun(asked(context)))),
});

app.http('runsSuspend', {
  route: 'runs/{id}/suspend',
  methods: ['POST'],
  extraInputs,
  handler: route('POST /runs/{id}/suspend', async (context) => json(202, await suspendRun(asked(context)))),
});

app.http('runsResume', {
  route: 'runs/{id}/resume',
  methods: ['POST'],
  extraInputs,
  handler: route('POST /runs/{id}/resume', async (context) => json(202, await resumeRun(asked(context)))),
});

app.http('runsRetry', {
  route: 'runs/{id}/retry',
  methods: ['POST'],
  extraInputs,
  handler: route('POST /runs/{id}/retry', async ({ services, caller, param, origin, engine, request }) => {
    const key = idempotencyKey(request.headers.get('idempotency-key'));
    const started = await retryRun(services, engine(), caller, { runId: runIdOf(param('id')), key, origin });
    return json(202, started, { location: started.links['self'] ?? '' });
  }),
});
