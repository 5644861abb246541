import { createCatalog, type Catalog } from '../../../src/catalog/catalog.ts';
import type { Principal } from '../../../src/identity/principal.ts';
import type { Finding } from '../../../src/plan/finding.ts';
import { DEFAULT_ALLOW } from '../../../src/plan/warrant.ts';
import type { ValidationContext } from '../../../src/validation/context.ts';
import { validatePlan, type ValidationResult } from '../../../src/validation/validate.ts';
import { gisTools } from './gisTools.ts';

export const catalog: Catalog = createCatalog(gisTools);

export const alice: Principal = {
  tenant: 'local',
  oid: 'alice',
  kind: 'person',
  roles: ['requester'],
  source: 'development',
};

/** A development context with room for everything; tests change what they are about. */
export function contextWith(changes: Partial<ValidationContext> = {}): ValidationContext {
  return {
    catalog,
    development: true,
    allow: DEFAULT_ALLOW,
    principal: alice,
    limits: { maxNodes: 200, maxParallelNodes: 8, maxDeadlineSeconds: 172_800, maxCostCents: 10_000 },
    uploads: new Map(),
    connections: new Set(),
    ...changes,
  };
}

/** Validates and expects a plan. */
export function accepted(
  plan: unknown,
  changes: Partial<ValidationContext> = {},
): Extract<ValidationResult, { ok: true }> {
  const result = validatePlan(plan, contextWith(changes));
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.findings, null, 1)}`);
  return result;
}

/** Validates and expects a refusal; answers its findings. */
export function refused(plan: unknown, changes: Partial<ValidationContext> = {}): readonly Finding[] {
  const result = validatePlan(plan, contextWith(changes));
  if (result.ok) throw new Error('the plan was accepted');
  return result.findings;
}

/** `CODE path` of every finding: what most tests compare. */
export const brief = (findings: readonly Finding[]): string[] => findings.map(({ code, path }) => `${code} ${path}`);
