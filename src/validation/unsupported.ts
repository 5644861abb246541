import type { Finding } from '../plan/finding.ts';
import type { Plan } from '../plan/types.ts';
import { refuse } from './findings.ts';

/** Parts of the plan language that this version reads but does not run: refused by name, never ignored. */
export function checkUnsupported(plan: Plan): Finding[] {
  return plan.nodes.flatMap((node, index) => {
    if (node.onFailure !== 'replan') return [];
    const message = '"onFailure": "replan" is not supported by this version';
    return [
      refuse('UNSUPPORTED_FEATURE', `/nodes/${index}/onFailure`, message, {
        nodeId: node.id,
        hint: '"fail", or "continue" for a tool without effect',
      }),
    ];
  });
}
