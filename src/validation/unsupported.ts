import type { Finding } from '../plan/finding.ts';
import type { Plan } from '../plan/types.ts';
import { refuse } from './findings.ts';

const FEATURES = ['forEach', 'when', 'expect', 'onFailure'] as const;

/** Parts of the plan language that this version reads but does not run: refused by name, never ignored. */
export function checkUnsupported(plan: Plan): Finding[] {
  return plan.nodes.flatMap((node, index) =>
    FEATURES.filter((feature) => node[feature] !== undefined).map((feature) =>
      refuse('UNSUPPORTED_FEATURE', `/nodes/${index}/${feature}`, `"${feature}" is not supported by this version`, {
        nodeId: node.id,
      }),
    ),
  );
}
