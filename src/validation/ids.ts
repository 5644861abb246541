import type { Finding } from '../plan/finding.ts';
import { foldId, foreignCodePoints, isNodeId, isReservedId } from '../plan/ids.ts';
import type { Plan } from '../plan/types.ts';
import { quote, refuse } from './findings.ts';

/** Ids: grammar, reserved names (O-34), uniqueness ignoring case (O-35). */
export function checkIds(plan: Plan): Finding[] {
  const findings: Finding[] = [];
  const first = new Map<string, { readonly id: string; readonly index: number }>();
  for (const [index, { id }] of plan.nodes.entries()) {
    const path = `/nodes/${index}/id`;
    if (!isNodeId(id)) {
      findings.push(refuse('INVALID_NODE_ID', path, grammarMessage(id)));
    } else if (isReservedId(id)) {
      findings.push(
        refuse('RESERVED_NODE_ID', path, `the id ${quote(id)} is the name of a built-in property`, {
          nodeId: id,
          hint: `for example "${id}Node"`,
        }),
      );
    }
    const earlier = first.get(foldId(id));
    if (earlier === undefined) {
      first.set(foldId(id), { id, index });
      continue;
    }
    const how = earlier.id === id ? 'stands twice' : `differs from ${quote(earlier.id)} in case only`;
    const message = `the id ${quote(id)} ${how}: nodes ${earlier.index} and ${index}`;
    findings.push(refuse('DUPLICATE_ID', path, message, { hint: 'ids are unique ignoring case' }));
  }
  return findings;
}

function grammarMessage(id: string): string {
  const rule = 'an id has 1 to 64 ASCII letters, digits, "_" and "-" and begins with a letter';
  if (id === '') return `the id is empty; ${rule}`;
  if (id.length > 64) return `the id is ${id.length} characters long; ${rule}`;
  const foreign = foreignCodePoints(id);
  if (foreign.length > 0) return `the id ${JSON.stringify(id)} contains ${foreign.join(' ')}; ${rule}`;
  return `the id ${JSON.stringify(id)} does not begin with a letter; ${rule}`;
}
