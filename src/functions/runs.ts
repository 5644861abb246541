import { app } from '@azure/functions';
import * as df from 'durable-functions';
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
  handler: route('POST /runs', async ({ services, principal, request, origin, engine }) => {
    const key = idempotencyKey(request.headers.get('idempotency-key'));
    const body = await readJson(request);
    const started = await startRun(services, engine(), principal, { body, key, origin });
    return json(202, started, { location: started.links['self'] ?? '' });
  }),
});

app.http('runsList', {
  route: 'runs',
  methods: ['GET'],
  handler: route('GET /runs', async ({ services, principal, request, origin }) =>
    json(200, await listRuns(services, principal, pageOf(request), origin)),
  ),
});

app.http('runsGet', {
  route: 'runs/{id}',
  methods: ['GET'],
  handler: route('GET /runs/{id}', async ({ services, caller, param, origin }) =>
    json(200, await readRun(services, caller, runIdOf(param('id')), origin)),
  ),
});

app.http('runsPlan', {
  route: 'runs/{id}/plan',
  methods: ['GET'],
  handler: route('GET /runs/{id}/plan', async ({ services, caller, param }) =>
    json(200, await readPlan(services, caller, runIdOf(param('id')))),
  ),
});

app.http('runsReport', {
  route: 'runs/{id}/report',
  methods: ['GET'],
  handler: route('GET /runs/{id}/report', async ({ services, caller, param }) =>
    json(200, await readReport(services, caller, runIdOf(param('id')))),
  ),
});

app.http('runsEvents', {
  route: 'runs/{id}/events',
  methods: ['GET'],
  handler: route('GET /runs/{id}/events', async ({ services, caller, param, request }) => {
    const { after, limit } = pageOf(request);
    return json(200, await readEvents(services, caller, runIdOf(param('id')), after, limit));
  }),
});

app.http('runsDurable', {
  route: 'runs/{id}/durable',
  methods: ['GET'],
  extraInputs: [client],
  handler: route('GET /runs/{id}/durable', async ({ services, caller, param, engine }) => {
    const { running, body } = await durableStatus(services, engine(), caller, runIdOf(param('id')));
    return json(running ? 202 : 200, body);
  }),
});
