import { app } from '@azure/functions';
import { services } from '../runs/compose.ts';
import { health } from '../runs/health.ts';
import { openApiDocument } from '../runs/http/openapi.ts';
import { json } from '../runs/http/problem.ts';
import { viewerPage } from '../runs/viewerPage.ts';

app.http('health', {
  route: 'health',
  methods: ['GET'],
  handler: async (_request, context) => {
    try {
      const state = await health(await services());
      return json(state.status === 'ok' ? 200 : 503, state, state.status === 'ok' ? {} : { 'retry-after': '5' });
    } catch (error) {
      context.error(error instanceof Error ? error.message : String(error));
      return json(503, { status: 'unavailable', checks: { start: 'unavailable' } }, { 'retry-after': '5' });
    }
  },
});

app.http('openapi', {
  route: 'openapi.json',
  methods: ['GET'],
  handler: (request) => json(200, openApiDocument(new URL(request.url).origin)),
});

app.http('ui', { route: 'ui', methods: ['GET'], handler: () => viewerPage() });
