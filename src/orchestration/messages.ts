/**
 * What crosses between orchestrator and activities: ids, the scheduler's decisions, and small results (I5, I8).
 * Both sides parse with these schemas; anything else is STATE_INVALID.
 */
import { z } from 'zod';

const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const nodeErrorSchema = z.strictObject({
  code: z.string().max(64),
  class: z.enum(['transient', 'throttled', 'permanent', 'denied', 'unexpected', 'unknown']),
  message: z.string().max(2000),
  retryAfterMs: z.number().int().min(0).optional(),
});
export type ResultError = z.infer<typeof nodeErrorSchema>;

export const decisionSchema = z.strictObject({
  seq: z.number().int().min(1),
  nodeId: z.string().max(64),
  item: z.number().int().min(-1),
  kind: z.enum(['skippedByFailure', 'cancelled', 'retryWait']),
  attempt: z.number().int().min(0),
  reason: z.string().max(200),
});
export type Decision = z.infer<typeof decisionSchema>;

const base = { version: z.literal(1), runId: id };

export const beginInput = z.strictObject({ ...base, instanceId: id });
export const beginResult = z.strictObject({ version: z.literal(1), go: z.boolean(), reason: z.string() });

export const planInput = z.strictObject({ ...base });
export const validateInput = z.strictObject({ ...base });
/** Planning and validating either lead on, or end the run with a status that `finish` recomputes. */
export const stepResult = z.strictObject({ version: z.literal(1), ok: z.boolean(), error: nodeErrorSchema.optional() });

export const scheduleSchema = z.strictObject({
  version: z.literal(1),
  runId: id,
  revision: z.number().int().min(0),
  warrant: digest,
  deadlineAt: z.number().int(),
  window: z.number().int().min(1),
  nodes: z.array(
    z.strictObject({
      id: z.string().max(64),
      after: z.array(z.number().int().min(0)),
      seconds: z.number().min(0),
      attempts: z.number().int().min(1),
    }),
  ),
});
export const validateResult = z.strictObject({
  version: z.literal(1),
  ok: z.boolean(),
  schedule: scheduleSchema.optional(),
  error: nodeErrorSchema.optional(),
});

export const controlInput = z.strictObject({ ...base, warrant: digest });
export const controlResult = z.strictObject({ version: z.literal(1), control: z.enum(['none', 'suspend', 'cancel']) });

export const nodeInput = z.strictObject({
  ...base,
  revision: z.number().int().min(0),
  warrant: digest,
  nodeId: z.string().max(64),
  item: z.number().int().min(-1),
  attempt: z.number().int().min(1),
  decisions: z.array(decisionSchema),
});
export type NodeInput = z.infer<typeof nodeInput>;

export const nodeResult = z.discriminatedUnion('ok', [
  z.strictObject({
    version: z.literal(1),
    ok: z.literal(true),
    nodeId: z.string(),
    item: z.number().int(),
    attempt: z.number().int(),
    /** Output name → artifact id; the data stays in the store. */
    outputs: z.record(z.string(), z.string()),
  }),
  z.strictObject({
    version: z.literal(1),
    ok: z.literal(false),
    nodeId: z.string(),
    item: z.number().int(),
    attempt: z.number().int(),
    error: nodeErrorSchema,
  }),
]);
export type NodeResult = z.infer<typeof nodeResult>;

export const verifyInput = z.strictObject({ ...base, warrant: digest, decisions: z.array(decisionSchema) });
export const verifyResult = z.strictObject({ version: z.literal(1), passed: z.boolean() });

export const finishInput = z.strictObject({
  ...base,
  decisions: z.array(decisionSchema),
  /** Why the orchestrator stopped, for the record only: the status is recomputed from the ledger (I10). */
  error: nodeErrorSchema.nullable(),
});
export const finishResult = z.strictObject({ version: z.literal(1), status: z.string() });
