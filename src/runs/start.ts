import { randomBytes } from 'node:crypto';
import type { Principal } from '../identity/principal.ts';
import { TERMINAL_STATUSES, type RunRow } from '../ledger/port.ts';
import { canonicalJson } from '../plan/canonical.ts';
import type { JsonValue } from '../plan/types.ts';
import { DEFAULT_ALLOW } from '../plan/warrant.ts';
import { validatePlan } from '../validation/validate.ts';
import type { Engine } from './engine.ts';
import { HttpProblem } from './http/problem.ts';
import { runLinks } from './links.ts';
import { mergePlan } from './mergePlan.ts';
import { parseStart, type StartRequest } from './request.ts';
import type { Services } from './services.ts';
import { uploadsIn, validationContext } from './validationContext.ts';

export interface Started {
  readonly runId: string;
  readonly status: string;
  readonly links: Readonly<Record<string, string>>;
  readonly durable: { readonly statusQueryGetUri: string };
}

/** A run id that sorts by time and says when: `20260105-101500-3f9a2c41`. */
export function newRunId(now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(4).toString('hex')}`;
}

/**
 * `POST /runs`. A given bad plan is refused at once and nothing is stored. The row comes first, then the instance: the
 * same key (or the janitor) starts an instance that a crash in between left missing (O-07).
 */
export async function startRun(
  services: Services,
  engine: Engine,
  principal: Principal,
  input: { readonly body: JsonValue; readonly key: string | null; readonly origin: string },
): Promise<Started> {
  const { request, requestDigest } = parseStart(input.body);
  requirePlanner(services, request);
  const goal = await acceptedGoal(services, principal, request);

  const uploads = await ownUploads(services, principal, input.body);
  const now = services.now();
  const runId = newRunId(now);
  const { outcome, run } = await services.ledger.createRun({
    runId,
    tenant: principal.tenant,
    requester: principal.oid,
    goal,
    locale: request.locale ?? 'en',
    request: canonicalJson(input.body),
    requestDigest,
    idempotencyKey: input.key,
    roles: principal.roles,
    instanceId: runId,
    now,
    uploads,
  });
  if (outcome === 'conflict') {
    throw new HttpProblem(
      'IDEMPOTENCY_CONFLICT',
      `The key was used for run ${run.runId} with another body. Use a new key for a new request.`,
    );
  }
  if (!TERMINAL_STATUSES.has(run.status)) await engine.start(run.instanceId, run.runId);
  return started(run, input.origin);
}

/** Digests of the uploads a request names, all of them the caller's: they are bound to the run from its start. */
async function ownUploads(services: Services, principal: Principal, body: JsonValue): Promise<readonly string[]> {
  const named = uploadsIn(body);
  for (const sha256 of named) {
    if ((await services.ledger.getUpload(principal.tenant, principal.oid, sha256)) === undefined) {
      throw new HttpProblem('UPLOAD_INVALID', `You have no upload ${sha256.slice(0, 12)}…; upload the file first.`);
    }
  }
  return named;
}

function requirePlanner(services: Services, request: StartRequest): void {
  if (request.planner === 'llm' && !services.settings.llmConfigured) {
    throw new HttpProblem(
      'PLANNER_NOT_CONFIGURED',
      'No model endpoint is configured. Use planner "offline", or configure a model connection in GEOAGENT_CONNECTIONS.',
      { path: '/planner' },
    );
  }
}

/** Validates a given plan (422 with all findings) and answers the goal that the run stands under. */
async function acceptedGoal(services: Services, principal: Principal, request: StartRequest): Promise<string> {
  if (request.plan === undefined) return request.goal ?? '';
  const plan = mergePlan(request);
  const named = { plan, inputs: request.inputs ?? {} };
  const context = await validationContext(services, principal, named, request.allow ?? DEFAULT_ALLOW);
  const checked = validatePlan(plan, { ...context, inputs: request.inputs ?? {} });
  if (!checked.ok) {
    const errors = checked.findings.filter((finding) => finding.severity === 'error').length;
    throw new HttpProblem(
      'PLAN_INVALID',
      `The plan has ${String(errors)} error${errors === 1 ? '' : 's'}; nothing was started.`,
      { findings: checked.findings },
    );
  }
  return checked.plan.goal;
}

export function started(run: RunRow, origin: string): Started {
  const links = runLinks(origin, run.runId);
  return { runId: run.runId, status: run.status, links, durable: { statusQueryGetUri: links['durable'] ?? '' } };
}
