/** Untrusted JSON → `Predicate`: shape and size. Depth is bounded before anything recurses. */
import { pointer } from './pointer.ts';
import { isReference } from './references.ts';
import { PREDICATE_OPS, type JsonValue, type Predicate, type PredicateOp } from './types.ts';

/** Deeper conditions are no conditions that a person could approve. */
export const MAX_PREDICATE_DEPTH = 16;
/** Comparisons in one `when`, or in all of `expect` together. */
export const MAX_COMPARISONS = 200;

export interface ShapeProblem {
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

type Path = readonly (string | number)[];

const FORMS = 'a predicate is {"op", "left", "right"}, {"all": […]}, {"any": […]} or {"not": …}';
const OPS: readonly string[] = PREDICATE_OPS;

const isObject = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses predicates of one field; problems of all of them are collected. */
export class PredicateParser {
  readonly problems: ShapeProblem[] = [];
  private comparisons = 0;

  /** @param depth of this predicate, from 1. */
  parse(value: JsonValue, path: Path, depth = 1): Predicate | null {
    if (depth > MAX_PREDICATE_DEPTH)
      return this.refuse(path, `nested deeper than ${String(MAX_PREDICATE_DEPTH)} levels`);
    if (!isObject(value)) return this.refuse(path, FORMS);
    const kinds = ['all', 'any', 'not', 'op'].filter((key) => Object.hasOwn(value, key));
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) return this.refuse(path, FORMS);
    const known = kind === 'op' ? ['op', 'left', 'right'] : [kind];
    const strange = Object.keys(value).find((key) => !known.includes(key));
    if (strange !== undefined)
      return this.refuse([...path, strange], `the field ${JSON.stringify(strange.slice(0, 80))} is unknown here`);
    switch (kind) {
      case 'op':
        return this.comparison(value, path);
      case 'not': {
        const inner = this.parse(value['not'] ?? null, [...path, 'not'], depth + 1);
        return inner === null ? null : { not: inner };
      }
      default: {
        const list = value[kind] ?? null;
        const parts = this.list(list, [...path, kind], depth + 1);
        if (parts === null) return null;
        return kind === 'all' ? { all: parts } : { any: parts };
      }
    }
  }

  /** A list of predicates with at least one. */
  list(value: JsonValue, path: Path, depth = 1): readonly Predicate[] | null {
    if (!Array.isArray(value) || value.length === 0)
      return this.refuse(path, 'a list of at least one predicate is needed');
    if (value.length > MAX_COMPARISONS)
      return this.refuse(
        path,
        `more than ${String(MAX_COMPARISONS)} predicates`,
        'for one value of many: {"op": "in"}',
      );
    const parts = value.map((member, i) => this.parse(member, [...path, i], depth));
    const whole = parts.filter((part) => part !== null);
    return whole.length === parts.length ? whole : null;
  }

  private comparison(value: { [key: string]: JsonValue }, path: Path): Predicate | null {
    this.comparisons += 1;
    if (this.comparisons > MAX_COMPARISONS)
      return this.refuse(
        path,
        `more than ${String(MAX_COMPARISONS)} comparisons`,
        'for one value of many: {"op": "in"}',
      );
    const { op, left, right } = value;
    if (typeof op !== 'string' || !OPS.includes(op)) {
      const known = `operators: ${OPS.join(', ')}`;
      const written = typeof op === 'string' ? op : '';
      const meant = SPELLINGS.get(written.toLowerCase());
      return this.refuse(
        [...path, 'op'],
        `there is no operator ${JSON.stringify(written.slice(0, 40))}`,
        meant === undefined ? known : `did you mean "${meant}"? ${known}`,
      );
    }
    if (left === undefined) return this.refuse([...path, 'left'], `"${op}" needs "left"`);
    if (op === 'exists') {
      if (right !== undefined) return this.refuse([...path, 'right'], '"exists" takes "left" alone');
      if (!isReference(left)) return this.refuse([...path, 'left'], '"exists" asks about a reference: {"ref": "…"}');
      return { op, left };
    }
    if (right === undefined) return this.refuse([...path, 'right'], `"${op}" needs "right"`);
    return { op: op as PredicateOp, left, right };
  }

  private refuse(path: Path, message: string, hint?: string): null {
    const problem = { path: pointer(...path), message };
    this.problems.push(hint === undefined ? problem : { ...problem, hint });
    return null;
  }
}

/** What people and models write instead; only for hints, never used in its place (O-29). */
const SPELLINGS: ReadonlyMap<string, PredicateOp> = new Map([
  ['=', 'eq'],
  ['==', 'eq'],
  ['===', 'eq'],
  ['equals', 'eq'],
  ['!=', 'ne'],
  ['!==', 'ne'],
  ['neq', 'ne'],
  ['<', 'lt'],
  ['<=', 'le'],
  ['lte', 'le'],
  ['>', 'gt'],
  ['>=', 'ge'],
  ['gte', 'ge'],
  ['contains', 'in'],
  ['oneof', 'in'],
  ['defined', 'exists'],
  ['present', 'exists'],
]);
