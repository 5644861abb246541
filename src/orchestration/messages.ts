/**
 * What crosses between orchestrator and activities: ids, the scheduler's decisions, and small results (I5, I8).
 * Both sides parse with these schemas; anything else is STATE_INVALID.
 */
import { z } from 'zod';
import type { Outcome } from './verbs.ts';

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
  kind: z.enum(['skippedByCondition', 'skippedByFailure', 'cancelled', 'retryWait']),
  attempt: z.number().int().min(0),
  reason: z.string().max(200),
});
export type Decision = z.infer<typeof decisionSchema>;

/** Decisions are numbered by the orchestrator that took them: `by` is its instance id. */
const decisions = { by: id, decisions: z.array(decisionSchema) };

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
      kind: z.enum(['wait', 'job']).optional(),
      needs: z.array(z.number().int().min(0)).optional(),
      soft: z.literal(true).optional(),
      group: z.number().int().min(0).optional(),
    }),
  ),
  groups: z
    .array(z.strictObject({ members: z.array(z.number().int().min(0)).min(1), maxItems: z.number().int().min(1) }))
    .optional(),
});
export const validateResult = z.strictObject({
  version: z.literal(1),
  ok: z.boolean(),
  schedule: scheduleSchema.optional(),
  /** Control changes the run has seen so far: it waits for the next (I6). */
  controlSeq: z.number().int().min(0).optional(),
  error: nodeErrorSchema.optional(),
});

/** `by` is the instance that asks: the run or a lane. */
export const controlInput = z.strictObject({ ...base, by: id, warrant: digest });
export const controlResult = z.strictObject({
  version: z.literal(1),
  control: z.enum(['none', 'suspend', 'cancel']),
  /** Number of the last change; the next event is `controlEvent(runId, seq + 1)`. */
  seq: z.number().int().min(0),
  /** With `suspend`: the sleep child, recorded, that ends when the run is resumed, cancelled or past its deadline. */
  hold: z.strictObject({ instanceId: id }).optional(),
  /** Code of the failure after which nothing starts any more (I7): how a lane learns of it. */
  stopping: z.string().max(64).optional(),
});

/** After a terminal failure: the ledger is told, so that children end at once and nothing starts any more (I7). */
export const stopInput = z.strictObject({ ...base, warrant: digest, error: nodeErrorSchema, ...decisions });
export const stopResult = z.strictObject({ version: z.literal(1), seq: z.number().int().min(0) });

export const nodeInput = z.strictObject({
  ...base,
  revision: z.number().int().min(0),
  warrant: digest,
  nodeId: z.string().max(64),
  item: z.number().int().min(-1),
  attempt: z.number().int().min(1),
  /** `do` starts it; `end` completes a wait whose time has come. */
  phase: z.enum(['do', 'end']),
  ...decisions,
});
export type NodeInput = z.infer<typeof nodeInput>;

/** Each result names its attempt; the interpreter compares it with the awaited one (I4). */
const named = {
  version: z.literal(1),
  nodeId: z.string(),
  item: z.number().int(),
  attempt: z.number().int(),
};

export const nodeResult = z.discriminatedUnion('state', [
  z.strictObject({
    ...named,
    state: z.literal('done'),
    /** Output name → artifact id; the data stays in the store. */
    outputs: z.record(z.string(), z.string()),
  }),
  /** Its `when` was false, or it uses the output of such a node: neutral, without outputs. */
  z.strictObject({ ...named, state: z.literal('skipped'), reason: z.string().max(200) }),
  /** The run is suspended: nothing was started, the attempt does not count. */
  z.strictObject({ ...named, state: z.literal('held') }),
  /** A wait: call again with phase `end` at `until`. The sleep child is recorded and used when a timer can't reach. */
  z.strictObject({ ...named, state: z.literal('wait'), until: z.number().int(), instanceId: id }),
  /** A remote job: the recorded child submits and follows it and answers with a result of this kind. */
  z.strictObject({ ...named, state: z.literal('job'), instanceId: id }),
  z.strictObject({
    ...named,
    state: z.literal('failed'),
    error: nodeErrorSchema,
    /** From the third failed attempt on: the recorded sleep child for the back-off (I9). */
    backoff: z.strictObject({ instanceId: id, until: z.number().int() }).optional(),
  }),
]);
export type NodeResult = z.infer<typeof nodeResult>;

/**
 * Expands a `forEach` group, whole, before its first instance starts; names its head node. `inlineLeft` is what is left
 * of the run's 50 inline instances (I9). With `again`, a lane whose child was lost is recorded under its next attempt.
 */
export const expandInput = z.strictObject({
  ...base,
  revision: z.number().int().min(0),
  warrant: digest,
  nodeId: z.string().max(64),
  attempt: z.number().int().min(1),
  inlineLeft: z.number().int().min(0),
  again: z.strictObject({ from: z.number().int().min(0), attempt: z.number().int().min(2) }).optional(),
  ...decisions,
});
export const expandResult = z.discriminatedUnion('state', [
  z.strictObject({
    ...named,
    state: z.literal('expanded'),
    count: z.number().int().min(0),
    /** `lanes`: one recorded child per chunk of `laneChunks(count, window, members)`, ids by `laneInstanceId`. */
    mode: z.enum(['inline', 'lanes']),
  }),
  z.strictObject({ ...named, state: z.literal('held') }),
  /** The items come from a node that was skipped, or the group's `when` needs one. */
  z.strictObject({ ...named, state: z.literal('skipped'), reason: z.string().max(200) }),
  z.strictObject({ ...named, state: z.literal('failed'), error: nodeErrorSchema }),
]);
export type ExpandResult = z.infer<typeof expandResult>;

/** Gathers the outputs of all items of one `forEach` node, in order, into the node's own; answers a `nodeResult`. */
export const gatherInput = z.strictObject({
  ...base,
  revision: z.number().int().min(0),
  warrant: digest,
  nodeId: z.string().max(64),
  attempt: z.number().int().min(1),
  ...decisions,
});

/** What every child is started with: ids only. The ledger row of the instance says what it is for. */
export const childInput = z.strictObject({ ...base, instanceId: id });

/** First activity of a lane. `go: false`: the ledger does not expect this instance, or the run is over. */
export const lanePartResult = z.discriminatedUnion('go', [
  z.strictObject({ version: z.literal(1), go: z.literal(false), reason: z.string().max(200) }),
  z.strictObject({
    version: z.literal(1),
    go: z.literal(true),
    /** The members of the group alone, indexes from 0, window 1; without edges from outside. */
    schedule: scheduleSchema,
    /** Items `from` ≤ i < `to`. */
    from: z.number().int().min(0),
    to: z.number().int().min(1),
    controlSeq: z.number().int().min(0),
    /** Which attempt at these items this lane is: the attempts of its items begin after those of lanes that were lost. */
    attempt: z.number().int().min(1).optional(),
  }),
]);
/** What a lane answers its parent; results of single items stand in the ledger. */
export const laneResult = z.discriminatedUnion('ok', [
  z.strictObject({
    version: z.literal(1),
    ok: z.literal(true),
    from: z.number().int(),
    to: z.number().int(),
    /** What no activity of the lane has carried: the parent takes it over under its own numbers. */
    decisions: z.array(decisionSchema).optional(),
  }),
  z.strictObject({
    version: z.literal(1),
    ok: z.literal(false),
    from: z.number().int(),
    to: z.number().int(),
    error: nodeErrorSchema,
    decisions: z.array(decisionSchema).optional(),
  }),
]);

/**
 * One round of a waiting child (`sleep`, `job`): the activity reads the ledger's flag first, does what is due, and says
 * when to look again. Input: `childInput`.
 */
export const childStepResult = z.discriminatedUnion('state', [
  z.strictObject({
    version: z.literal(1),
    state: z.literal('wait'),
    /** Absolute; the child looks again then, or when the control event after `seq` comes. */
    until: z.number().int(),
    seq: z.number().int().min(0),
  }),
  z.strictObject({
    version: z.literal(1),
    state: z.literal('end'),
    reason: z.enum(['due', 'resumed', 'stopped', 'deadline', 'unexpected', 'settled']),
    /** Of a job. */
    result: nodeResult.optional(),
  }),
]);
export type ChildStepResult = z.infer<typeof childStepResult>;

/** Why a waiting child has ended; undefined when it was lost or answered in an unknown shape. */
export function endReason(
  outcome: Outcome | undefined,
): Extract<ChildStepResult, { readonly state: 'end' }>['reason'] | undefined {
  const end = outcome?.ok === true ? childStepResult.safeParse(outcome.value) : undefined;
  return end?.success === true && end.data.state === 'end' ? end.data.reason : undefined;
}

export const verifyInput = z.strictObject({ ...base, warrant: digest, ...decisions });
export const verifyResult = z.strictObject({ version: z.literal(1), passed: z.boolean() });

export const finishInput = z.strictObject({
  ...base,
  ...decisions,
  /** Why the orchestrator stopped, for the record only: the status is recomputed from the ledger (I10). */
  error: nodeErrorSchema.nullable(),
});
export const finishResult = z.strictObject({ version: z.literal(1), status: z.string() });
