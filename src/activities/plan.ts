import type { z } from 'zod';
import { planInput, type stepResult } from '../orchestration/messages.ts';
import { proposeOffline } from '../planner/offline.ts';
import { canonicalJson } from '../plan/canonical.ts';
import { sha256Hex } from '../plan/sha256.ts';
import { planProposals } from '../runs/systemArtifact.ts';
import type { Services } from '../runs/services.ts';
import { storedRequest } from '../runs/storedRequest.ts';
import { parseInput } from './parse.ts';

type Result = z.infer<typeof stepResult>;

/**
 * Finds the plan that will be validated: the caller's own, or a proposal of the planner, stored as an artifact before it
 * is looked at (what was proposed stays on record even when it is refused). Idempotent: the first stored proposal stands.
 */
export async function plan(services: Services, input: unknown): Promise<Result> {
  const { runId } = parseInput(planInput, input, 'plan');
  const { run, request } = await storedRequest(services, runId);
  if (request.plan !== undefined) return { version: 1, ok: true };
  if ((await planProposals(services, run).read()) !== undefined) return { version: 1, ok: true };

  const proposal = proposeOffline({
    goal: run.goal,
    catalog: services.catalog,
    inputs: request.inputs ?? {},
    ...(request.outputs === undefined ? {} : { outputs: request.outputs }),
    development: services.settings.development,
    locale: run.locale,
  });
  const now = services.now();
  if (!proposal.ok) {
    const missing = proposal.missing.join('; ');
    await services.ledger.appendEvent({
      at: now,
      runId,
      type: 'plan.none',
      nodeId: null,
      actor: 'planner',
      data: { missing: sha256Hex(missing) },
    });
    return {
      version: 1,
      ok: false,
      error: { code: 'NO_PLAN', class: 'permanent', message: `${proposal.detail} Missing: ${missing}`.slice(0, 1000) },
    };
  }
  await planProposals(services, run).write(canonicalJson(proposal.plan));
  return { version: 1, ok: true };
}
