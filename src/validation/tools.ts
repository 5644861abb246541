import type { Finding } from '../plan/finding.ts';
import type { Plan } from '../plan/types.ts';
import { decide as builtin } from '../policy/decide.ts';
import type { ValidationContext } from './context.ts';
import { nameHint, quote, refuse } from './findings.ts';

/** Names of the tools that this principal may use in this request: all that hints and errors ever list (O-29). */
export function allowedTools(context: ValidationContext): string[] {
  const decide = context.decide ?? builtin;
  return context.catalog
    .list()
    .filter(({ effect }) => context.allow.effects.includes(effect))
    .filter(({ name: tool, permission, effect }) => {
      try {
        return decide({ principal: context.principal, action: 'useTool', resource: { tool, permission, effect } })
          .allow;
      } catch {
        return false;
      }
    })
    .map(({ name }) => name);
}

/** Catalog pass: the tool exists under exactly this name; retry and timeout only lower the catalog's. */
export function checkTools(plan: Plan, context: ValidationContext): Finding[] {
  const findings: Finding[] = [];
  let allowed: string[] | undefined;
  for (const [i, node] of plan.nodes.entries()) {
    const tool = context.catalog.get(node.tool);
    const base = `/nodes/${i}`;
    if (tool === undefined) {
      allowed ??= allowedTools(context);
      const message = node.tool === '' ? 'the name of the tool is empty' : `there is no tool ${quote(node.tool)}`;
      const hint = nameHint(node.tool, allowed, 'tools');
      findings.push(refuse('UNKNOWN_TOOL', `${base}/tool`, message, { nodeId: node.id, ...hint }));
      continue;
    }
    const attempts = node.retry?.maxAttempts;
    if (attempts !== undefined && attempts > tool.retry.maxAttempts) {
      const path = `${base}/retry/maxAttempts`;
      findings.push(
        refuse('RETRY_ABOVE_CATALOG', path, `${attempts} attempts; ${tool.name} allows ${tool.retry.maxAttempts}`, {
          nodeId: node.id,
          fix: [{ op: 'replace', path, value: tool.retry.maxAttempts }],
        }),
      );
    }
    if (node.timeoutSeconds !== undefined && node.timeoutSeconds > tool.limits.timeoutSeconds) {
      const path = `${base}/timeoutSeconds`;
      const message = `${node.timeoutSeconds} s; ${tool.name} allows ${tool.limits.timeoutSeconds} s`;
      findings.push(
        refuse('TIMEOUT_ABOVE_CATALOG', path, message, {
          nodeId: node.id,
          fix: [{ op: 'replace', path, value: tool.limits.timeoutSeconds }],
        }),
      );
    }
  }
  return findings;
}
