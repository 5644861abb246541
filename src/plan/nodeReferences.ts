/** Where references stand in a node, and which of its uses need a value (design §2 "Edges", "when"). */
import { collectReferences, type FoundReference } from './references.ts';
import type { JsonValue, PlanNode, Predicate } from './types.ts';

/** `when` is looked at before the node starts, `items` before its first instance, `expect` after it has ended. */
export type TemplatePlace = 'args' | 'when' | 'items' | 'expect';

export interface NodeTemplate {
  readonly place: TemplatePlace;
  /** Path inside the node: `['args']`, `['when', 'all', 0, 'left']`. */
  readonly path: readonly (string | number)[];
  readonly template: JsonValue;
  /** Operand of `exists`: what it names may be missing. */
  readonly mayBeMissing: boolean;
}

export interface NodeReference extends FoundReference {
  readonly place: TemplatePlace;
  /** A value must be there for the node to go on: it has no default and is no operand of `exists`. */
  readonly needed: boolean;
}

type Comparison = Extract<Predicate, { readonly op: string }>;

/** Comparisons inside a predicate, in document order, with their path. Predicates are at most 16 deep. */
export function comparisonsOf(
  predicate: Predicate,
  path: readonly (string | number)[] = [],
): { readonly comparison: Comparison; readonly path: readonly (string | number)[] }[] {
  if ('op' in predicate) return [{ comparison: predicate, path }];
  if ('not' in predicate) return comparisonsOf(predicate.not, [...path, 'not']);
  const [key, list] = 'all' in predicate ? (['all', predicate.all] as const) : (['any', predicate.any] as const);
  return list.flatMap((member, i) => comparisonsOf(member, [...path, key, i]));
}

function operands(place: TemplatePlace, predicate: Predicate, path: readonly (string | number)[]): NodeTemplate[] {
  return comparisonsOf(predicate, path).flatMap(({ comparison, path: at }) => {
    const mayBeMissing = comparison.op === 'exists';
    const left: NodeTemplate = { place, path: [...at, 'left'], template: comparison.left, mayBeMissing };
    if (comparison.right === undefined) return [left];
    return [left, { place, path: [...at, 'right'], template: comparison.right, mayBeMissing }];
  });
}

/** Every template of a node: arguments, `when`, `forEach.items`, `expect`. */
export function templatesOf(node: PlanNode): NodeTemplate[] {
  const plain = (place: TemplatePlace, path: readonly string[], template: JsonValue): NodeTemplate => ({
    place,
    path,
    template,
    mayBeMissing: false,
  });
  return [
    plain('args', ['args'], node.args),
    ...(node.when === undefined ? [] : operands('when', node.when, ['when'])),
    ...(node.forEach === undefined ? [] : [plain('items', ['forEach', 'items'], node.forEach.items)]),
    ...(node.expect ?? []).flatMap((predicate, i) => operands('expect', predicate, ['expect', i])),
  ];
}

/** Every reference of a node, wherever it stands. Pointers begin with `base`, for example `['nodes', 3]`. */
export function referencesOf(node: PlanNode, base: readonly (string | number)[] = []): NodeReference[] {
  return templatesOf(node).flatMap(({ place, path, template, mayBeMissing }) =>
    collectReferences(template, [...base, ...path]).map((found) => ({
      ...found,
      place,
      needed: !found.hasDefault && !mayBeMissing,
    })),
  );
}
