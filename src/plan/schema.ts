/** Untrusted JSON → `Plan`: shape only. Meaning (ids, graph, tools, types) is for the passes in `src/validation`. */
import { z } from 'zod';
import { checkEncodable } from './codec.ts';
import { parseControl, type Control } from './controlFields.ts';
import type { Finding, FindingCode } from './finding.ts';
import { pointer } from './pointer.ts';
import type { JsonValue, Plan, PlanNode } from './types.ts';

/** Design §5 I9. A context may lower it. */
export const MAX_NODES = 200;
const MAX_TEXT = 4_000;
/** Dependencies a node may list; repeated ones count once, but the list itself is bounded. */
const MAX_DEPENDENCIES = 1_000;

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const name = z.string().regex(NAME, 'a name of up to 64 letters, digits, "_" and "-" that begins with a letter');
/** Checked to be plain JSON before zod sees it; `z.json()` would recurse over it again. */
const json = z.custom<JsonValue>((value) => value !== undefined, 'a JSON value');
const text = z.string().max(MAX_TEXT);

const reference = z.strictObject({ ref: z.string().max(512), default: json.optional() });

const node = z.strictObject({
  // The id grammar has its own findings: validation/ids.ts.
  id: z.string(),
  tool: z.string(),
  dependsOn: z.array(z.string()).max(MAX_DEPENDENCIES).default([]),
  args: z.record(z.string(), json).default({}),
  retry: z.strictObject({ maxAttempts: z.int().min(1).max(100) }).optional(),
  timeoutSeconds: z.number().positive().max(172_800).optional(),
  title: z.string().max(200).optional(),
  insertedBy: z.literal('normalise').optional(),
  // Their shape is checked without zod, whose recursion nothing would bound: controlFields.ts.
  when: json.optional(),
  forEach: json.optional(),
  expect: json.optional(),
  onFailure: json.optional(),
});

const plan = z.strictObject({
  schemaVersion: z.literal('1.0').default('1.0'),
  workflowId: name.default('adhoc'),
  goal: text.default(''),
  inputs: z.record(name, json).default({}),
  nodes: z.array(node),
  outputs: z.record(name, reference).default({}),
  context: z
    .strictObject({
      assumptions: z.array(text).max(100).default([]),
      constraints: z.array(text).max(100).default([]),
    })
    .default({ assumptions: [], constraints: [] }),
  limits: z
    .strictObject({
      deadlineSeconds: z.number().positive().optional(),
      maxCostCents: z.number().nonnegative().optional(),
    })
    .default({}),
});

export type PlanParse =
  | { readonly ok: true; readonly plan: Plan }
  | {
      readonly ok: false;
      readonly findings: readonly Finding[];
      /** Present when nothing but unknown fields and conditions was wrong: the plan without them, so that other passes can go on. */
      readonly rest?: Plan;
    };

const error = (code: FindingCode, path: string, message: string, more: Partial<Finding> = {}): Finding => ({
  code,
  severity: 'error',
  path,
  message,
  ...more,
});

/** What can be said cheaply, before anything else looks at the plan: a 4 000-node plan costs nothing. */
function refuseAtOnce(value: unknown, maxNodes: number): Finding | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return error('INVALID_FIELD', '', 'a plan is a JSON object with "nodes"');
  }
  const nodes: unknown = Object.getOwnPropertyDescriptor(value, 'nodes')?.value;
  if (!Array.isArray(nodes)) return error('INVALID_FIELD', '/nodes', '"nodes" must be a list of nodes');
  if (nodes.length === 0) {
    return error('EMPTY_PLAN', '/nodes', 'the plan has no nodes: there is nothing to run');
  }
  if (nodes.length > maxNodes) {
    return error('TOO_MANY_NODES', '/nodes', `${nodes.length} nodes; at most ${maxNodes} are allowed`);
  }
  const problem = checkEncodable(value);
  if (problem !== undefined) return error('BAD_JSON', problem.path, problem.message);
  return undefined;
}

function unknownFields(issue: z.core.$ZodIssueUnrecognizedKeys): Finding[] {
  return issue.keys.map((key) => {
    const path = pointer(...(issue.path as (string | number)[]), key);
    return error('UNKNOWN_FIELD', path, `the field ${JSON.stringify(key)} is unknown here`, {
      fix: [{ op: 'remove', path }],
    });
  });
}

/** Own copy without the members at the given issues; the input is never touched. */
function without(value: unknown, issues: readonly z.core.$ZodIssueUnrecognizedKeys[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    let place: unknown = copy;
    for (const segment of issue.path) place = (place as Record<PropertyKey, unknown>)[segment];
    for (const key of issue.keys) Reflect.deleteProperty(place as object, key);
  }
  return copy;
}

/**
 * Parses an already parsed JSON value into a plan with all defaults (contracts.md "Plan"). Codes: INVALID_FIELD,
 * UNKNOWN_FIELD (with a fix), EMPTY_PLAN, TOO_MANY_NODES, BAD_JSON (a value that JSON cannot carry). Nothing is coerced.
 */
export function parsePlan(value: unknown, maxNodes = MAX_NODES): PlanParse {
  const refused = refuseAtOnce(value, maxNodes);
  if (refused !== undefined) return { ok: false, findings: [refused] };
  const parsed = plan.safeParse(value);
  if (parsed.success) return finished(parsed.data);

  const strange = parsed.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
  const findings = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? unknownFields(issue)
      : [error('INVALID_FIELD', pointer(...(issue.path as (string | number)[])), issue.message)],
  );
  if (strange.length < parsed.error.issues.length) return { ok: false, findings };
  const again = plan.safeParse(without(value, strange));
  if (!again.success) return { ok: false, findings };
  const rest = finished(again.data);
  const all = [...findings, ...(rest.ok ? [] : rest.findings)];
  const go = rest.ok ? rest.plan : rest.rest;
  return go === undefined ? { ok: false, findings: all } : { ok: false, findings: all, rest: go };
}

/** Names of foreign plans that stand for a tool of ours (contracts.md "Plan": `wait` is `core.wait`). */
const ALIASES: ReadonlyMap<string, string> = new Map([['wait', 'core.wait']]);

/** Control fields in their normal form, foreign names replaced. */
function finished(parsed: z.infer<typeof plan>): PlanParse {
  const findings: Finding[] = [];
  const nodes = parsed.nodes.map((raw, index): PlanNode => {
    const { when, forEach, expect, onFailure, ...rest } = raw;
    const { control, findings: problems } = parseControl(
      { when, forEach, expect, onFailure },
      ['nodes', index],
      raw.id,
    );
    findings.push(...problems);
    // zod gives `undefined` only for keys that are absent.
    const plain = rest as Omit<PlanNode, keyof Control>;
    return { ...plain, tool: ALIASES.get(raw.tool) ?? raw.tool, ...control };
  });
  const whole: Plan = { ...(parsed as Omit<Plan, 'nodes'>), nodes };
  if (findings.length === 0) return { ok: true, plan: whole };
  // Without its loop a node means something else, and what other passes say of it would be noise.
  const lostLoop = parsed.nodes.some(({ forEach }, i) => forEach !== undefined && nodes[i]?.forEach === undefined);
  return lostLoop ? { ok: false, findings } : { ok: false, findings, rest: whole };
}
