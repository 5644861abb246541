/** `when`, `forEach`, `expect` and `onFailure` of a node: shape only, strictly, into their normal form. */
import type { Finding } from './finding.ts';
import { pointer } from './pointer.ts';
import { PredicateParser, type ShapeProblem } from './predicateSchema.ts';
import type { ForEach, JsonValue, OnFailure, Predicate } from './types.ts';

/** The node as the schema has let it through: control fields are any JSON. */
export interface RawControl {
  readonly when?: JsonValue | undefined;
  readonly forEach?: JsonValue | undefined;
  readonly expect?: JsonValue | undefined;
  readonly onFailure?: JsonValue | undefined;
}

export interface Control {
  readonly when?: Predicate;
  readonly forEach?: ForEach;
  readonly expect?: readonly Predicate[];
  readonly onFailure?: Exclude<OnFailure, 'fail'>;
}

type Path = readonly (string | number)[];

function parseForEach(value: JsonValue, path: Path, problems: ShapeProblem[]): ForEach | null {
  const refuse = (at: Path, message: string): null => {
    problems.push({ path: pointer(...at), message });
    return null;
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(path, '"forEach" is {"items": […] or a reference, "maxItems": n}');
  }
  const strange = Object.keys(value).find((key) => key !== 'items' && key !== 'maxItems');
  if (strange !== undefined)
    return refuse([...path, strange], `the field ${JSON.stringify(strange.slice(0, 80))} is unknown here`);
  const { items, maxItems } = value;
  if (items === undefined) return refuse([...path, 'items'], '"forEach" needs "items": an array or a reference to one');
  if (maxItems === undefined)
    return refuse([...path, 'maxItems'], '"forEach" needs "maxItems": the most items it may run');
  if (typeof maxItems !== 'number' || !Number.isSafeInteger(maxItems) || maxItems < 1)
    return refuse([...path, 'maxItems'], '"maxItems" is a whole number of 1 or more');
  return { items, maxItems };
}

/**
 * Parses the control fields of one node. `expect` becomes a list; `onFailure: "fail"` is the default and is left out, so
 * that plans which mean the same have the same digest. Findings carry INVALID_FIELD.
 */
export function parseControl(
  raw: RawControl,
  base: Path,
  nodeId: string,
): { readonly control: Control; readonly findings: readonly Finding[] } {
  const problems: ShapeProblem[] = [];
  const control: { -readonly [K in keyof Control]: Control[K] } = {};
  if (raw.when !== undefined) {
    const parser = new PredicateParser();
    const when = parser.parse(raw.when, [...base, 'when']);
    if (when !== null) control.when = when;
    problems.push(...parser.problems);
  }
  if (raw.forEach !== undefined) {
    const forEach = parseForEach(raw.forEach, [...base, 'forEach'], problems);
    if (forEach !== null) control.forEach = forEach;
  }
  if (raw.expect !== undefined) {
    const parser = new PredicateParser();
    if (Array.isArray(raw.expect)) {
      const expect = parser.list(raw.expect, [...base, 'expect']);
      if (expect !== null) control.expect = expect;
    } else {
      const one = parser.parse(raw.expect, [...base, 'expect']);
      if (one !== null) control.expect = [one];
    }
    problems.push(...parser.problems);
  }
  if (raw.onFailure !== undefined) {
    if (raw.onFailure === 'continue' || raw.onFailure === 'replan') control.onFailure = raw.onFailure;
    else if (raw.onFailure !== 'fail')
      problems.push({ path: pointer(...base, 'onFailure'), message: '"onFailure" is "fail", "continue" or "replan"' });
  }
  const findings = problems.map((problem) => ({
    code: 'INVALID_FIELD' as const,
    severity: 'error' as const,
    nodeId,
    ...problem,
  }));
  return { control, findings };
}
