import type { Finding } from '../plan/finding.ts';
import type { Plan } from '../plan/types.ts';
import { decide as builtin, type Decision, type DecisionRequest } from '../policy/decide.ts';
import type { ValidationContext } from './context.ts';
import { quote, refuse } from './findings.ts';

/** Where a finding about a node points: inserted nodes have no place in the plan as it was given. */
export type PathOf = (nodeId: string, index: number) => string;

/** Scope pass (`allow`): asking for an analysis never yields a publication. */
export function checkScope(plan: Plan, context: ValidationContext, pathOf: PathOf): Finding[] {
  return plan.nodes.flatMap((node, i) => {
    const tool = context.catalog.get(node.tool);
    if (tool === undefined || context.allow.effects.includes(tool.effect)) return [];
    const message = `${tool.name} ${EFFECT_WORDS[tool.effect]}; this request allows ${context.allow.effects.join(', ') || 'nothing'}`;
    return [
      refuse('OUTSIDE_REQUEST', `${pathOf(node.id, i)}/tool`, message, {
        nodeId: node.id,
        hint: `the person who asks can allow it: "allow": {"effects": [… "${tool.effect}"]}`,
      }),
    ];
  });
}

const EFFECT_WORDS = {
  none: 'has no effect',
  temporary: 'has a temporary effect',
  publishes: 'publishes',
  modifiesAuthoritative: 'modifies authoritative data',
  notifies: 'notifies people',
} as const;

/** Authorization pass: one decision a node. A policy engine that fails denies. */
export function checkAuthorization(plan: Plan, context: ValidationContext, pathOf: PathOf): Finding[] {
  return plan.nodes.flatMap((node, i) => {
    const tool = context.catalog.get(node.tool);
    if (tool === undefined) return [];
    const decision = safely(context, {
      principal: context.principal,
      action: 'useTool',
      resource: { tool: tool.name, permission: tool.permission, effect: tool.effect },
    });
    if (decision.allow) return [];
    const message = `you may not use ${quote(tool.name)} (${decision.reasons.join(', ')})`;
    return [refuse('NOT_AUTHORIZED', `${pathOf(node.id, i)}/tool`, message, { nodeId: node.id })];
  });
}

function safely(context: ValidationContext, request: DecisionRequest): Decision {
  try {
    const decision = (context.decide ?? builtin)(request);
    // An engine of another make may answer anything; only a plain `true` permits.
    return (decision.allow as unknown) === true ? decision : { allow: false, reasons: [...decision.reasons] };
  } catch {
    return { allow: false, reasons: ['evaluation-error'] };
  }
}
