import { app } from '@azure/functions';
import { json } from '../runs/http/problem.ts';
import { route } from '../runs/http/route.ts';
import { listArtifacts } from '../runs/read.ts';
import { readArtifact } from '../runs/readArtifact.ts';
import { runIdOf } from '../runs/request.ts';

app.http('artifactsList', {
  route: 'runs/{id}/artifacts',
  methods: ['GET'],
  handler: route('GET /runs/{id}/artifacts', async ({ services, caller, param, origin }) =>
    json(200, await listArtifacts(services, caller, runIdOf(param('id')), origin)),
  ),
});

app.http('artifactsGet', {
  route: 'runs/{id}/artifacts/{artifactId}',
  methods: ['GET'],
  handler: route('GET /runs/{id}/artifacts/{artifact}', async ({ services, caller, param, request }) =>
    readArtifact(services, caller, {
      runId: runIdOf(param('id')),
      artifactId: param('artifactId') ?? '',
      ifNoneMatch: request.headers.get('if-none-match'),
      download: request.query.get('download') === '1',
    }),
  ),
});
