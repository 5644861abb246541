import { app } from '@azure/functions';
import { json } from '../runs/http/problem.ts';
import { route } from '../runs/http/route.ts';
import { inspectUpload, saveUpload } from '../runs/uploads.ts';

app.http('uploadsCreate', {
  route: 'uploads',
  methods: ['POST'],
  handler: route('POST /uploads', async ({ services, principal, request }) =>
    json(201, await saveUpload(services, principal, request)),
  ),
});

app.http('uploadsInspect', {
  route: 'uploads/{sha256}/inspect',
  methods: ['GET'],
  handler: route('GET /uploads/{sha256}/inspect', async ({ services, principal, param }) =>
    json(200, await inspectUpload(services, principal, param('sha256') ?? '')),
  ),
});
