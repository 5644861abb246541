/** Versioned schemas of what is loaded from a ledger store; a row they refuse is `STATE_INVALID` (design §4). */
import { z } from 'zod';
import type { PortType } from '../catalog/portTypes.ts';
import {
  OPERATION_STATES,
  RUN_STATUSES,
  StateInvalid,
  type ArtifactRow,
  type AuditEvent,
  type DecisionRow,
  type ExpansionRow,
  type InstanceRow,
  type OperationRow,
  type PlanRow,
  type RunRow,
  type StaleRun,
  type UploadRow,
} from './port.ts';

const milliseconds = z.int().nonnegative();
const count = z.int().nonnegative();
const text = z.string();
const id = z.string().min(1);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'not a SHA-256 digest');
const item = z.int().min(-1);

/** A JSON column: text in the row, a value of `schema` in memory. */
function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

const flag = z.union([z.literal(0), z.literal(1), z.boolean()]).transform(Boolean);

const column = z.object({ type: text, unit: text.exactOptional() });
const columns = z.record(text, column).nullable();
const window = z.object({ from: text, to: text }).nullable();
const name = text.nullable();
const portType: z.ZodType<PortType> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('observations'),
    quantity: z.literal('rain'),
    unit: z.literal('mm').nullable(),
    valueKind: z.enum(['interval', 'rate', 'counter']).nullable(),
    window,
    crs: name,
    validated: z.boolean(),
  }),
  z.object({
    kind: z.literal('features'),
    geometry: z.enum(['point', 'line', 'polygon', 'mixed']).nullable(),
    crs: name,
    role: z.enum(['assets', 'zones', 'result']),
    fields: columns,
  }),
  z.object({
    kind: z.literal('raster'),
    crs: name,
    unit: name,
    role: z.enum(['rain', 'terrain', 'slope', 'runoff', 'screening']),
    resolution: z.number().nullable(),
    extent: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
    noData: z.number().nullable(),
  }),
  z.object({ kind: z.literal('table'), columns }),
  z.object({ kind: z.literal('number'), unit: name, nullable: z.literal(true).exactOptional() }),
  z.object({ kind: z.literal('time'), window }),
  z.object({ kind: z.literal('report') }),
  z.object({ kind: z.literal('artifact'), mediaType: name }),
  z.object({ kind: z.literal('json'), schema: z.unknown() }),
]);

const checks = json(
  z.array(
    z.object({ name: text, passed: z.boolean(), detail: text, severity: z.enum(['fatal', 'report']).exactOptional() }),
  ),
);

const errorClass = z.enum(['transient', 'throttled', 'permanent', 'denied', 'unexpected', 'unknown']);
/** Codes grow with releases, so their spelling is checked, not their membership. */
const errorCode = z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/, 'not an error code');
const nodeError = z.object({ code: errorCode, class: errorClass, message: text, retryAfterMs: count.exactOptional() });

const runSchema = z.object({
  runId: id,
  tenant: id,
  requester: id,
  status: z.enum(RUN_STATUSES),
  control: z.enum(['none', 'suspend', 'cancel']),
  held: flag,
  goal: text,
  locale: text,
  request: text,
  requestDigest: id,
  idempotencyKey: text.nullable(),
  roles: json(z.array(text)),
  instanceId: id,
  planDigest: sha256.nullable(),
  warrantDigest: sha256.nullable(),
  policyVersion: text.nullable(),
  headline: text.nullable(),
  error: z.union([z.null(), json(nodeError)]),
  createdAt: milliseconds,
  startedAt: milliseconds.nullable(),
  endedAt: milliseconds.nullable(),
  deadlineAt: milliseconds.nullable(),
  controlSeq: count,
  stopping: errorCode.nullable(),
  retryOf: id.nullable(),
  asOf: milliseconds,
  rowVersion: count,
});

const planSchema = z.object({
  runId: id,
  revision: count,
  planDigest: sha256,
  plan: text,
  warrantDigest: sha256,
  warrant: text,
  schedule: text,
  findings: text,
  createdAt: milliseconds,
});

const operationSchema = z.object({
  operationKey: id,
  runId: id,
  nodeId: id,
  item,
  planDigest: id,
  argsDigest: id,
  tool: id,
  state: z.enum(OPERATION_STATES),
  attempt: z.int().min(1),
  fencingToken: z.int().min(1),
  ownerUntil: milliseconds,
  externalJobId: text.nullable(),
  resultUri: text.nullable(),
  resultDigest: text.nullable(),
  errorCode: errorCode.nullable(),
  errorClass: errorClass.nullable(),
  errorMessage: text.nullable(),
  checks,
  createdAt: milliseconds,
  updatedAt: milliseconds,
  rowVersion: count,
});

const decisionSchema = z.object({
  seq: count,
  nodeId: id,
  item,
  kind: z.enum(['skippedByCondition', 'skippedByFailure', 'cancelled', 'retryWait']),
  attempt: count,
  reason: text,
});

const artifactSchema = z.object({
  id,
  tenant: id,
  runId: id,
  nodeId: id,
  item,
  output: id,
  sha256,
  bytes: count,
  mediaType: id,
  fileName: text,
  type: json(portType),
  labels: json(
    z.object({
      integrity: z.array(z.enum(['external', 'model', 'synthetic'])),
      confidentiality: z.enum(['public', 'internal', 'restricted']),
      licences: z.array(text),
    }),
  ),
  blobName: id,
  value: text.nullable(),
  createdAt: milliseconds,
});

const instanceSchema = z.object({
  instanceId: id,
  runId: id,
  kind: z.enum(['lane', 'sleep', 'job']),
  revision: count,
  nodeId: id,
  item,
  attempt: z.int().min(1),
  state: z.enum(['planned', 'live', 'ended']),
  until: milliseconds.nullable(),
  to: count.nullable(),
  createdAt: milliseconds,
  endedAt: milliseconds.nullable(),
});

const expansionSchema = z.object({
  runId: id,
  revision: count,
  nodeId: id,
  count,
  itemsDigest: sha256,
  mode: z.enum(['inline', 'lanes']),
  createdAt: milliseconds,
});

const uploadSchema = z.object({
  sha256,
  tenant: id,
  owner: id,
  bytes: count,
  mediaType: id,
  name: text,
  blobName: id,
  createdAt: milliseconds,
});

const eventSchema = z.object({
  seq: z.int().min(1),
  at: milliseconds,
  runId: id,
  type: id,
  nodeId: id.nullable(),
  actor: id,
  data: json(z.record(text, z.unknown())),
});

const rolesSchema = json(z.array(text));

/** Parses a stored row. The message names table and fields, never values: those may be personal. */
function parser<Schema extends z.ZodType>(table: string, schema: Schema): (row: unknown) => z.output<Schema> {
  return (row) => {
    const result = schema.safeParse(row);
    if (result.success) return result.data;
    const where = result.error.issues.map((issue) => issue.path.join('.') || '(row)');
    throw new StateInvalid(`A row of ${table} is not valid: ${[...new Set(where)].join(', ')}.`);
  };
}

export const parseRun: (row: unknown) => RunRow = parser('Runs', runSchema) as (row: unknown) => RunRow;
export const parsePlan: (row: unknown) => PlanRow = parser('Plans', planSchema);
export const parseOperation: (row: unknown) => OperationRow = parser('WorkflowOperations', operationSchema);
export const parseDecision: (row: unknown) => DecisionRow = parser('Decisions', decisionSchema);
export const parseArtifact: (row: unknown) => ArtifactRow = parser('Artifacts', artifactSchema);
export const parseInstance: (row: unknown) => InstanceRow = parser('Instances', instanceSchema);
export const parseExpansion: (row: unknown) => ExpansionRow = parser('Expansions', expansionSchema);
export const parseItemCount = parser(
  'WorkflowOperations',
  z.object({ nodeId: id, state: operationSchema.shape.state, n: count }),
);
export const parseStaleRun: (row: unknown) => StaleRun = parser(
  'Runs',
  z.object({ runId: id, instanceId: id, status: z.enum(RUN_STATUSES), updatedAt: milliseconds }),
);
export const parseEndedRun = parser('Runs', z.object({ runId: id, instanceId: id, endedAt: milliseconds }));
export const parsePurgeable = parser('Runs', z.object({ runId: id, tenant: id }));
const blobNameRow = parser('Artifacts', z.object({ blobName: id }));
export const parseBlobName = (row: unknown): string => blobNameRow(row).blobName;
export const parseUpload: (row: unknown) => UploadRow = parser('Uploads', uploadSchema);
export const parseEvent: (row: unknown) => AuditEvent = parser('AuditEvents', eventSchema);
export const parseRoles: (text: unknown) => readonly string[] = parser('Grants', rolesSchema);
