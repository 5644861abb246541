import { app } from '@azure/functions';
import * as df from 'durable-functions';
import { cancelRun } from '../runs/cancel.ts';
import { durableStatus } from '../runs/durableStatus.ts';
import { readJson } from '../runs/http/body.ts';
import { json } from '../runs/http/problem.ts';
import { pageOf } from '../runs/http/query.ts';
import { route } from '../runs/http/route.ts';
import { listRuns, readEvents, readPlan, readRun } from '../runs/read.ts';
import { readReport } from '../runs/readReport.ts';
import { idempotencyKey, runIdOf } from '../runs/request.ts';
import { startRun } from '../runs/start.ts';

const client = df.input.durableClient();

app.http('runsStart', {
  route: 'runs',
  methods: ['POST'],
  extraInputs: [client],
  handler: route('runs.start', async ({ services, principal, request, origin, engine }) => {
    const key = idempotencyKey(request.headers.get('idempotency-key'));
    const body = await readJson(request);
    const started = await startRun(services, engine(), principal, { body, key, origin });
    return json(202, started, { location: started.links['self'] ?? '' });
  }),
});

app.http('runsList', {
  route: 'runs',
  methods: ['GET'],
  handler: route('runs.list', async ({ services, principal, request, origin }) =>
    json(200, await listRuns(services, principal, pageOf(request), origin)),
  ),
});

app.http('runsGet', {
  route: 'runs/{id}',
  methods: ['GET'],
  handler: route('runs.get', async ({ services, principal, param, origin }) =>
    json(200, await readRun(services, principal, runIdOf(param('id')), origin)),
  ),
});

app.http('runsPlan', {
  route: 'runs/{id}/plan',
  methods: ['GET'],
  handler: route('runs.plan', async ({ services, principal, param }) =>
    json(200, await readPlan(services, principal, runIdOf(param('id')))),
  ),
});

app.http('runsReport', {
  route: 'runs/{id}/report',
  methods: ['GET'],
  handler: route('runs.report', async ({ services, principal, param }) =>
    json(200, await readReport(services, principal, runIdOf(param('id')))),
  ),
});

app.http('runsEvents', {
  route: 'runs/{id}/events',
  methods: ['GET'],
  handler: route('runs.events', async ({ services, principal, param, request }) => {
    const { after, limit } = pageOf(request);
    return json(200, await readEvents(services, principal, runIdOf(param('id')), after, limit));
  }),
});

app.http('runsCancel', {
  route: 'runs/{id}/cancel',
  methods: ['POST'],
  extraInputs: [client],
  handler: route('runs.cancel', async ({ services, principal, param, origin, engine }) =>
    json(202, await cancelRun(services, engine(), principal, runIdOf(param('id')), origin)),
  ),
});

app.http('runsDurable', {
  route: 'runs/{id}/durable',
  methods: ['GET'],
  extraInputs: [client],
  handler: route('runs.durable', async ({ services, principal, param, engine }) => {
    const { running, body } = await durableStatus(services, engine(), principal, runIdOf(param('id')));
    return json(running ? 202 : 200, body);
  }),
});
