import type { z } from 'zod';
import type { validateResult } from '../orchestration/messages.ts';
import { validateInput } from '../orchestration/messages.ts';
import { ORCHESTRATOR } from '../orchestration/names.ts';
import { MAX_SCHEDULE_BYTES } from '../orchestration/schedule.ts';
import { canonicalJson } from '../plan/canonical.ts';
import type { Finding } from '../plan/finding.ts';
import type { JsonValue, Plan } from '../plan/types.ts';
import { DEFAULT_ALLOW, warrantDigest, type Warrant } from '../plan/warrant.ts';
import { policyVersion } from '../policy/decide.ts';
import { mergePlan } from '../runs/mergePlan.ts';
import { planProposals } from '../runs/systemArtifact.ts';
import type { Services } from '../runs/services.ts';
import { storedRequest } from '../runs/storedRequest.ts';
import { validationContext } from '../runs/validationContext.ts';
import { openPlanRow, type PlanNotes } from '../runs/warranted.ts';
import { DEFAULT_DEADLINE_SECONDS } from '../validation/context.ts';
import { compileSchedule } from '../validation/compile.ts';
import { validatePlan } from '../validation/validate.ts';
import { parseInput } from './parse.ts';
import { answer } from './result.ts';

type Result = z.infer<typeof validateResult>;

/** A warrant outlives the deadline of its run by this much, for verification and the end. */
const FIRST_REVISION = 1;
const GRACE_MS = 60 * 60 * 1000;

/**
 * Validates the plan and issues the warrant: what is executed is exactly what stands in the stored row. Idempotent: a
 * second call, after a crash, answers from the row that the first one wrote.
 */
export async function validate(services: Services, input: unknown): Promise<Result> {
  const { runId } = parseInput(validateInput, input, 'validate');
  const { ledger, settings } = services;
  const { run, request } = await storedRequest(services, runId);
  const existing = await ledger.latestPlan(runId);
  if (existing !== undefined) {
    openPlanRow(existing);
    const schedule = JSON.parse(existing.schedule) as NonNullable<Result['schedule']>;
    await ledger.moveRun(runId, ['planning', 'validating'], 'running', {
      now: services.now(),
      planDigest: existing.planDigest,
      warrantDigest: existing.warrantDigest,
      deadlineAt: schedule.deadlineAt,
      policyVersion,
    });
    return { version: 1, ok: true, schedule, controlSeq: run.controlSeq };
  }
  await ledger.moveRun(runId, ['planning'], 'validating', { now: services.now() });

  const proposal = request.plan === undefined ? await planProposals(services, run).read() : undefined;
  const given = request.plan === undefined ? (JSON.parse(proposal?.text ?? 'null') as JsonValue) : mergePlan(request);
  const allow = request.allow ?? DEFAULT_ALLOW;
  const roles = (await ledger.grantsOf(run.tenant, run.requester)) ?? run.roles;
  const base = await validationContext(
    services,
    { tenant: run.tenant, oid: run.requester, kind: 'person', roles },
    { plan: given, inputs: request.inputs ?? {} },
    allow,
  );
  const context = { ...base, inputs: request.inputs ?? {} };
  const checked = validatePlan(given, context);
  if (!checked.ok) return refused(checked.findings);

  const { plan, planDigest } = checked;
  const deadlineSeconds = Math.min(
    plan.limits.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS,
    context.limits.maxDeadlineSeconds,
  );
  const deadlineAt = (run.startedAt ?? run.createdAt) + deadlineSeconds * 1000;
  const warrant: Warrant = {
    runId,
    revision: FIRST_REVISION,
    tenant: run.tenant,
    requester: run.requester,
    planDigest,
    policyVersion,
    catalogDigest: services.catalog.digest,
    interpreter: ORCHESTRATOR,
    allow,
    limits: { deadlineSeconds, maxParallelNodes: settings.maxParallelNodes, maxNodes: settings.maxNodes },
    budget: {
      maxCostCents: plan.limits.maxCostCents ?? context.limits.maxCostCents,
      estimatedCents: plan.nodes.reduce((sum, node) => sum + (services.catalog.get(node.tool)?.cost.cents ?? 0), 0),
    },
    requiredApprovals: [],
    provenance:
      proposal === undefined ? { origin: 'caller' } : { origin: 'offline', proposalDigest: proposal.row.sha256 },
    expiresAt: deadlineAt + GRACE_MS,
  };
  const digest = warrantDigest(warrant);
  const compiled = compileSchedule(plan, services.catalog, {
    runId,
    revision: FIRST_REVISION,
    warrant: digest,
    deadlineAt,
    window: settings.maxParallelNodes,
  });
  if (!compiled.ok) return refused(compiled.findings);
  const { schedule } = compiled;
  await ledger.savePlan({
    runId,
    revision: FIRST_REVISION,
    planDigest,
    plan: canonicalJson(plan),
    warrantDigest: digest,
    warrant: canonicalJson(warrant),
    schedule: JSON.stringify(schedule),
    findings: JSON.stringify(notesOf(services, plan, checked.findings)),
    createdAt: services.now(),
  });
  await ledger.moveRun(runId, ['validating'], 'running', {
    now: services.now(),
    planDigest,
    warrantDigest: digest,
    deadlineAt,
    policyVersion,
  });
  return answer({ version: 1, ok: true, schedule } as unknown as Result, MAX_SCHEDULE_BYTES + 1024);
}

function notesOf(services: Services, plan: Plan, warnings: readonly Finding[]): PlanNotes {
  const tools = new Map(plan.nodes.map((node) => [node.tool, services.catalog.get(node.tool)?.version ?? '']));
  return {
    version: 1,
    warnings: JSON.parse(JSON.stringify(warnings)) as PlanNotes['warnings'],
    tools: Object.fromEntries([...tools].sort()),
  };
}

function refused(findings: readonly Finding[]): Result {
  const errors = findings.filter((finding) => finding.severity === 'error');
  const text = errors.map((finding) => `${finding.code} ${finding.path}: ${finding.message}`).join('\n');
  return { version: 1, ok: false, error: { code: 'PLAN_INVALID', class: 'permanent', message: text.slice(0, 1000) } };
}
