/** Condition pass: operands of `when` and `expect` go together (nothing is coerced); `onFailure` where it may stand. */
import type { Finding } from '../plan/finding.ts';
import { typesOverlap } from '../plan/jsonSchema.ts';
import { comparisonsOf } from '../plan/nodeReferences.ts';
import { pointer } from '../plan/pointer.ts';
import { collectReferences, isLiteral, isReference, parseReference } from '../plan/references.ts';
import type { JsonValue, PlanNode, Predicate } from '../plan/types.ts';
import { quote, refuse } from './findings.ts';
import { given, type World } from './given.ts';
import { typeOfValue, typesOfValues } from './jsonTypes.ts';

type Path = readonly (string | number)[];
type Comparison = Extract<Predicate, { readonly op: string }>;

interface Operand {
  /** Empty: any. */
  readonly types: readonly string[];
  /** Elements of an array that stands in the plan. */
  readonly elements?: readonly JsonValue[];
}

interface Place {
  readonly world: World;
  readonly node: PlanNode;
  readonly in: 'when' | 'expect';
  readonly findings: Finding[];
}

/** Types of an operand; `undefined` when a finding says why it is none. */
function operand(place: Place, template: JsonValue, path: Path): Operand | undefined {
  if (isReference(template)) {
    const target = parseReference(template.ref);
    const found = given(place.world, place.node, place.in, target);
    if (found === undefined) return { types: [] };
    if ('notJson' in found) {
      const message = `${quote(template.ref)} is ${found.notJson}; only JSON, numbers and times can be compared`;
      place.findings.push(refuse('TYPE_MISMATCH', pointer(...path), message, { nodeId: place.node.id }));
      return undefined;
    }
    if (template.default === undefined || found.types.length === 0) return { types: found.types };
    return { types: [...new Set([...found.types, typeOfValue(template.default)])].sort() };
  }
  const value = isLiteral(template) ? template.literal : template;
  const isData = isLiteral(template) || collectReferences(template).length === 0;
  return isData && Array.isArray(value) ? { types: ['array'], elements: value } : { types: [typeOfValue(value)] };
}

const ORDERED = ['number', 'string'];

function checkComparison(place: Place, comparison: Comparison, path: Path): void {
  const { op, left, right } = comparison;
  const mismatch = (message: string): void => {
    place.findings.push(refuse('TYPE_MISMATCH', pointer(...path), message, { nodeId: place.node.id }));
  };
  const a = operand(place, left, [...path, 'left']);
  if (op === 'exists' || right === undefined) return;
  const b = operand(place, right, [...path, 'right']);
  if (a === undefined || b === undefined) return;
  const say = ({ types }: Operand): string => types.join(' or ');
  if (op === 'in') {
    if (!typesOverlap(b.types, ['array'])) {
      mismatch(`"in" needs an array on the right, which is ${say(b)}`);
    } else if (b.elements !== undefined && b.elements.length > 0 && !typesOverlap(a.types, typesOfValues(b.elements))) {
      mismatch(
        `"in" can never hold: the left is ${say(a)}, the elements are ${typesOfValues(b.elements).join(' or ')}`,
      );
    }
    return;
  }
  if (op !== 'eq' && op !== 'ne') {
    for (const [side, one] of [
      ['left', a],
      ['right', b],
    ] as const) {
      if (typesOverlap(one.types, ORDERED)) continue;
      mismatch(`"${op}" needs two numbers or two texts; the ${side} is ${say(one)}`);
      return;
    }
  }
  if (typesOverlap(a.types, b.types)) return;
  mismatch(`"${op}" compares ${say(a)} with ${say(b)}; nothing is converted`);
}

/** Checks all conditions of the plan. */
export function checkConditions(world: World): Finding[] {
  const findings: Finding[] = [];
  for (const [i, node] of world.plan.nodes.entries()) {
    const check = (predicate: Predicate, where: 'when' | 'expect', path: Path): void => {
      const place: Place = { world, node, in: where, findings };
      for (const { comparison, path: at } of comparisonsOf(predicate, path)) checkComparison(place, comparison, at);
    };
    if (node.when !== undefined) check(node.when, 'when', ['nodes', i, 'when']);
    for (const [k, predicate] of (node.expect ?? []).entries()) check(predicate, 'expect', ['nodes', i, 'expect', k]);
    findings.push(...checkOnFailure(world, node, i));
  }
  return findings;
}

/** A failure is tolerated only where nothing can have happened to the world outside the run. */
function checkOnFailure(world: World, node: PlanNode, index: number): Finding[] {
  const effect = world.catalog.get(node.tool)?.effect;
  if (node.onFailure !== 'continue' || effect === undefined || effect === 'none' || effect === 'temporary') return [];
  const path = `/nodes/${index}/onFailure`;
  const message = `"continue" is for tools without effect; ${node.tool} has the effect "${effect}"`;
  return [refuse('INVALID_ARGUMENT', path, message, { nodeId: node.id, fix: [{ op: 'remove', path }] })];
}
