import type { Principal } from '../identity/principal.ts';
import { proposeOffline } from '../planner/offline.ts';
import type { JsonValue } from '../plan/types.ts';
import { DEFAULT_ALLOW } from '../plan/warrant.ts';
import { validatePlan } from '../validation/validate.ts';
import { HttpProblem } from './http/problem.ts';
import { parseStart } from './request.ts';
import type { Services } from './services.ts';
import { validationContext } from './validationContext.ts';

/** `POST /plans/validate`: the plan itself; nothing is stored. Pointers in findings are relative to the plan. */
export async function validateOnly(
  services: Services,
  principal: Principal,
  plan: JsonValue,
): Promise<Record<string, unknown>> {
  const checked = validatePlan(plan, await validationContext(services, principal, plan));
  if (!checked.ok) throw new HttpProblem('PLAN_INVALID', 'The plan was refused.', { findings: checked.findings });
  return { planDigest: checked.planDigest, plan: checked.plan, findings: checked.findings };
}

/** `POST /plans {goal, …}`: proposes a plan without running it. */
export async function proposePlan(
  services: Services,
  principal: Principal,
  body: JsonValue,
): Promise<Record<string, unknown>> {
  const { request } = parseStart(body);
  if (request.plan !== undefined)
    throw new HttpProblem('INVALID_FIELD', 'This route proposes a plan; send yours to /plans/validate.', {
      path: '/plan',
    });
  if (request.planner === 'llm' && !services.settings.llmConfigured) {
    throw new HttpProblem('PLANNER_NOT_CONFIGURED', 'No model endpoint is configured. Use planner "offline".', {
      path: '/planner',
    });
  }
  const proposal = proposeOffline({
    goal: request.goal ?? '',
    catalog: services.catalog,
    inputs: request.inputs ?? {},
    ...(request.outputs === undefined ? {} : { outputs: request.outputs }),
    development: services.settings.development,
    locale: request.locale ?? 'en',
  });
  if (!proposal.ok) throw new HttpProblem('NO_PLAN', `${proposal.detail} Missing: ${proposal.missing.join('; ')}`);
  const plan = JSON.parse(JSON.stringify(proposal.plan)) as JsonValue;
  const checked = validatePlan(
    plan,
    await validationContext(services, principal, plan, request.allow ?? DEFAULT_ALLOW),
  );
  if (!checked.ok)
    throw new HttpProblem('PLAN_INVALID', 'The proposed plan was refused.', { findings: checked.findings });
  return {
    planDigest: checked.planDigest,
    plan: checked.plan,
    findings: checked.findings,
    provenance: { origin: 'offline' },
  };
}
