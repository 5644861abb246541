/** The check of a whole `forEach` expansion before its first instance starts (design §2). */
import type { ToolDefinition } from '../catalog/tool.ts';
import { ToolError } from './errors.ts';
import { parseKnown, Unknown, type ValuePath } from './parseKnown.ts';
import { ownArguments } from './resolveArguments.ts';
import { lookUp, type Scope } from './resolveReference.ts';
import { substitute } from './substitute.ts';

/**
 * Why the arguments of one item can't be right, as far as they are known: `$item`, `$index`, inputs and results from
 * outside are put in; outputs that are not there yet (of the same item, from nodes before it in the group) are left open.
 * @param scope of the member, with its item (`forItem`).
 * @returns INVALID_ARGUMENT (`unexpected`) naming item and argument, or `undefined`.
 */
export function refusedItem(scope: Scope, tool: ToolDefinition): ToolError | undefined {
  const { node, item } = scope;
  const refuse = (what: string): ToolError => {
    const message = `item ${String(item?.index ?? -1)} of ${node.id}: ${what}`.slice(0, 500);
    return new ToolError('INVALID_ARGUMENT', message, { class: 'unexpected' });
  };
  const unknowns: ValuePath[] = [];
  let absent: string | undefined;
  const resolved = substitute<Unknown>(ownArguments(node, tool), (reference, target, path) => {
    const found = lookUp(scope, target);
    if (found.state === 'value') return found.value;
    // Of the item, an input or an output that is there: no later result can bring the member.
    const final = found.state === 'invalid' || found.from === undefined || found.found;
    if (final && reference.default !== undefined) return reference.default;
    if (final) absent ??= `${reference.ref} has no value`;
    unknowns.push(path);
    return new Unknown();
  });
  if (absent !== undefined) return refuse(absent);
  const issue = parseKnown(tool.input, resolved, unknowns).issues[0];
  if (issue === undefined) return undefined;
  return refuse(`the argument ${issue.path.join('.')} is not what ${tool.name} takes: ${issue.message}`);
}
