import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { startRequest } from '../request.ts';
import { HTTP_CODES } from './problem.ts';

const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
  .meta({ id: 'RunId', examples: ['20260105-101500-3f9a2c41'] });
const time = z.string().meta({ format: 'date-time' });

const finding = z
  .object({
    code: z.string(),
    severity: z.enum(['error', 'warning']),
    path: z.string().meta({ description: 'JSON pointer, relative to the plan' }),
    nodeId: z.string().optional(),
    message: z.string(),
    hint: z.string().optional(),
    fix: z.array(z.record(z.string(), z.json())).optional().meta({ description: 'RFC 6902 patch' }),
  })
  .meta({ id: 'Finding' });

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(HTTP_CODES) as [string, ...string[]]),
    detail: z.string(),
    path: z.string().optional(),
    findings: z.array(finding).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem with a stable code' });

const artifact = z
  .object({
    id: z.string(),
    sha256: z.string(),
    bytes: z.int(),
    mediaType: z.string(),
    type: z.json(),
    fileName: z.string(),
  })
  .meta({ id: 'Artifact' });

const started = z
  .object({
    runId: id,
    status: z.string(),
    links: z.record(z.string(), z.string()),
    durable: z.object({ statusQueryGetUri: z.string() }),
  })
  .meta({ id: 'Started' });

const run = z
  .object({
    runId: id,
    status: z.string(),
    held: z.boolean().meta({ description: 'Suspended: what ran goes on, nothing new starts' }),
    control: z.enum(['none', 'suspend', 'cancel']),
    retryOf: id.nullable().meta({ description: 'The ended run this one tries again' }),
    actions: z
      .array(z.enum(['suspend', 'resume', 'cancel', 'retry']))
      .meta({ description: 'What you may do with the run as it stands' }),
    goal: z.string(),
    headline: z.string().nullable(),
    planDigest: z.string().nullable(),
    policyVersion: z.string().nullable(),
    progress: z.record(z.string(), z.int()),
    nodes: z.array(
      z.object({
        id: z.string(),
        tool: z.string(),
        dependsOn: z.array(z.string()),
        state: z.string(),
        attempt: z.int(),
        startedAt: time.nullable(),
        endedAt: time.nullable(),
        waitingFor: z
          .object({ kind: z.enum(['wait', 'job', 'retry', 'items']), reason: z.string(), until: time.optional() })
          .optional(),
        externalJobId: z.string().optional(),
        items: z
          .object({ total: z.int(), completed: z.int(), failed: z.int(), skipped: z.int(), open: z.int() })
          .optional()
          .meta({ description: 'Of a forEach node, once it is expanded' }),
        reason: z.string().optional().meta({ description: 'Why it was skipped' }),
        tolerated: z.boolean().optional().meta({ description: 'It failed and the plan goes on without it' }),
        outputs: z.record(z.string(), artifact).optional(),
        error: z.object({ code: z.string(), class: z.string(), message: z.string() }).optional(),
      }),
    ),
    outputs: z.record(z.string(), artifact),
    timings: z.record(z.string(), time.nullable()),
    links: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Run' });

const controlled = run
  .pick({ runId: true, status: true, control: true, held: true, links: true })
  .meta({ id: 'Controlled' });
const idempotencyKey = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,128}$/)
    .optional(),
});

const planChecked = z
  .object({ planDigest: z.string(), plan: z.json(), findings: z.array(finding) })
  .meta({ id: 'PlanChecked' });
const upload = z
  .object({ sha256: z.string(), bytes: z.int(), mediaType: z.string(), name: z.string() })
  .meta({ id: 'Upload' });
const report = z
  .object({
    runId: id,
    status: z.string(),
    headline: z.string().nullable(),
    checks: z.array(z.object({ nodeId: z.string(), name: z.string(), passed: z.boolean(), detail: z.string() })),
    claims: z.array(z.json()),
    text: z.string(),
    locale: z.string(),
  })
  .meta({ id: 'Report' });

const list = (item: z.ZodType) => z.object({ items: z.array(item), nextCursor: z.string().nullable() });
const body = (schema: z.ZodType, mediaType = 'application/json') => ({ content: { [mediaType]: { schema } } });
const refusals = (...statuses: readonly number[]) =>
  Object.fromEntries(
    [401, 403, ...statuses].map((status) => [
      String(status),
      { description: 'Refused', ...body(problem, 'application/problem+json') },
    ]),
  );

function operation(
  summary: string,
  status: number,
  schema: z.ZodType,
  more: Partial<ZodOpenApiOperationObject> = {},
  ...errors: readonly number[]
): ZodOpenApiOperationObject {
  return {
    summary,
    ...more,
    responses: { [String(status)]: { description: summary, ...body(schema) }, ...refusals(...errors) },
  };
}

const runPath = { requestParams: { path: z.object({ id }) } };
const paths: ZodOpenApiPathsObject = {
  '/runs': {
    post: operation(
      'Start a run',
      202,
      started,
      { requestParams: { header: idempotencyKey }, requestBody: body(startRequest) },
      400,
      409,
      413,
      415,
      422,
      503,
    ),
    get: operation(
      'List runs, newest first',
      200,
      list(run.pick({ runId: true, status: true, goal: true, headline: true })),
    ),
  },
  '/runs/{id}': { get: operation('One run', 200, run, runPath, 400, 404) },
  '/runs/{id}/plan': { get: operation('The approved plan and its warrant', 200, planChecked, runPath, 400, 404) },
  '/runs/{id}/report': { get: operation('The report', 200, report, runPath, 400, 404) },
  '/runs/{id}/events': {
    get: operation(
      'Events, oldest first',
      200,
      list(z.json()),
      {
        requestParams: {
          path: z.object({ id }),
          query: z.object({ after: z.int().optional(), limit: z.int().optional() }),
        },
      },
      400,
      404,
    ),
  },
  '/runs/{id}/artifacts': { get: operation('Artifacts of a run', 200, list(artifact), runPath, 400, 404) },
  '/runs/{id}/artifacts/{artifactId}': {
    get: operation(
      'The bytes of an artifact',
      200,
      z.string(),
      { requestParams: { path: z.object({ id, artifactId: z.string() }) } },
      400,
      404,
    ),
  },
  '/runs/{id}/cancel': { post: operation('Cancel a run', 202, controlled, runPath, 400, 404, 409) },
  '/runs/{id}/suspend': {
    post: operation('Suspend a run: nothing new starts', 202, controlled, runPath, 400, 404, 409),
  },
  '/runs/{id}/resume': { post: operation('Resume a suspended run', 202, controlled, runPath, 400, 404, 409) },
  '/runs/{id}/retry': {
    post: operation(
      'Try an ended run again, as a new run that takes over what was completed',
      202,
      started,
      { requestParams: { path: z.object({ id }), header: idempotencyKey } },
      400,
      404,
      409,
    ),
  },
  '/runs/{id}/durable': { get: operation('Status of the durable instance', 200, z.json(), runPath, 400, 404) },
  '/uploads': {
    post: operation(
      'Upload a file',
      201,
      upload,
      {
        requestParams: { query: z.object({ name: z.string() }) },
        requestBody: body(z.string(), 'application/octet-stream'),
      },
      413,
      415,
      422,
    ),
  },
  '/uploads/{sha256}/inspect': {
    get: operation(
      'What is in an upload',
      200,
      z.json(),
      { requestParams: { path: z.object({ sha256: z.string() }) } },
      400,
      404,
      422,
    ),
  },
  '/plans': {
    post: operation('Propose a plan for a goal', 200, planChecked, { requestBody: body(startRequest) }, 400, 422),
  },
  '/plans/validate': {
    post: operation('Validate a plan', 200, planChecked, { requestBody: body(z.json()) }, 400, 413, 422),
  },
  '/tools': { get: operation('Tools you may use', 200, list(z.json())) },
  '/health': {
    get: {
      summary: 'Is the service able to work?',
      responses: { 200: { description: 'Yes' }, 503: { description: 'No' } },
    },
  },
};

/** OpenAPI 3.1 document of this API, for the origin it is asked at. */
export function openApiDocument(origin: string): unknown {
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'GeoAgent', version: '1.0.0', description: 'Validated, durable, verifiable geospatial workflows.' },
    servers: [{ url: `${origin}/api` }],
    paths,
  });
}
