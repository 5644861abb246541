import { app } from '@azure/functions';
import { readJson } from '../runs/http/body.ts';
import { json } from '../runs/http/problem.ts';
import { route } from '../runs/http/route.ts';
import { proposePlan, validateOnly } from '../runs/plans.ts';
import { listTools } from '../runs/toolsList.ts';

app.http('plansPropose', {
  route: 'plans',
  methods: ['POST'],
  handler: route('POST /plans', async ({ services, principal, request }) =>
    json(200, await proposePlan(services, principal, await readJson(request))),
  ),
});

app.http('plansValidate', {
  route: 'plans/validate',
  methods: ['POST'],
  handler: route('POST /plans/validate', async ({ services, principal, request }) =>
    json(200, await validateOnly(services, principal, await readJson(request))),
  ),
});

app.http('toolsList', {
  route: 'tools',
  methods: ['GET'],
  handler: route('GET /tools', ({ services, principal }) => Promise.resolve(json(200, listTools(services, principal)))),
});
