import type { Finding } from '../plan/finding.ts';
import { pointer } from '../plan/pointer.ts';
import { looksLikeReference } from '../plan/references.ts';
import type { InputDeclaration, JsonValue, Plan } from '../plan/types.ts';
import { nameHint, quote, refuse } from './findings.ts';

type Declared = Extract<InputDeclaration, { readonly type: string }>;

const TYPES = ['number', 'string', 'boolean', 'time', 'artifact'] as const;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const FIELDS: ReadonlySet<string> = new Set(['type', 'unit', 'min', 'max', 'enum', 'default']);

/** An object whose `type` is one of ours declares an input; anything else is its value. */
export function isDeclaration(input: InputDeclaration): input is Declared & { [key: string]: JsonValue } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  return Object.hasOwn(input, 'type') && (TYPES as readonly unknown[]).includes((input as { type: unknown }).type);
}

/** JSON types that a declared input can have, for checks of references to it. */
export const jsonTypesOf = (declared: Declared): readonly string[] =>
  declared.type === 'artifact' ? ['object', 'string'] : [declared.type === 'time' ? 'string' : declared.type];

/** Why `value` is none of what was declared; nothing is coerced (O-30). */
function mismatch(declared: Declared, value: JsonValue): string | undefined {
  if (declared.enum !== undefined && !declared.enum.some((entry) => entry === value)) {
    return `is none of ${JSON.stringify(declared.enum)}`;
  }
  switch (declared.type) {
    case 'number':
      if (typeof value !== 'number') return 'is no number';
      if (declared.min !== undefined && value < declared.min) return `is below the minimum ${declared.min}`;
      return declared.max !== undefined && value > declared.max ? `is above the maximum ${declared.max}` : undefined;
    case 'string':
      return typeof value === 'string' ? undefined : 'is no text';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false';
    case 'time':
      return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value))
        ? undefined
        : 'is no time in RFC 3339 with an offset';
    case 'artifact':
      return typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
        ? undefined
        : 'is no source';
  }
}

function declarationProblems(name: string, declared: Declared & { [key: string]: JsonValue }): Finding[] {
  const findings: Finding[] = [];
  for (const key of Object.keys(declared)) {
    if (FIELDS.has(key)) continue;
    const path = pointer('inputs', name, key);
    findings.push(
      refuse('UNKNOWN_FIELD', path, `an input's declaration has no field ${quote(key)}`, {
        fix: [{ op: 'remove', path }],
      }),
    );
  }
  for (const key of ['min', 'max'] as const) {
    if (declared[key] !== undefined && typeof declared[key] !== 'number') {
      findings.push(refuse('INVALID_FIELD', pointer('inputs', name, key), `"${key}" must be a number`));
    }
  }
  if (declared.enum !== undefined && !Array.isArray(declared.enum)) {
    findings.push(refuse('INVALID_FIELD', pointer('inputs', name, 'enum'), '"enum" must be a list'));
  }
  return findings;
}

export interface ResolvedInputs {
  readonly findings: readonly Finding[];
  /** Value by name, where one is known. */
  readonly values: ReadonlyMap<string, JsonValue>;
  /** What is declared without a value yet. */
  readonly open: ReadonlyMap<string, Declared>;
  /** The plan's inputs with the body's values in them: what is hashed and what runs. */
  readonly inputs: Plan['inputs'];
}

/** Inputs of the plan, with the values of the request's body over them, checked against what is declared. */
export function resolveInputs(plan: Plan, body: Readonly<Record<string, JsonValue>> = {}): ResolvedInputs {
  const findings: Finding[] = [];
  const values = new Map<string, JsonValue>();
  const open = new Map<string, Declared>();
  const merged = new Map<string, InputDeclaration>(Object.entries(plan.inputs));
  for (const [name, value] of Object.entries(body)) {
    const declared = merged.get(name);
    if (declared === undefined) {
      const message = `the request gives a value for ${quote(name)}, which the plan does not declare`;
      findings.push(refuse('UNKNOWN_INPUT', pointer('inputs', name), message, nameHint(name, merged.keys(), 'inputs')));
    } else if (isDeclaration(declared)) merged.set(name, { ...declared, default: value });
    else merged.set(name, value);
  }
  for (const [name, declared] of merged) {
    const path = pointer('inputs', name);
    if (!isDeclaration(declared)) {
      if (looksLikeReference(declared)) {
        findings.push(refuse('INVALID_FIELD', path, 'an input is a value or a declaration, never a reference'));
      } else values.set(name, declared);
      continue;
    }
    const problems = declarationProblems(name, declared);
    findings.push(...problems);
    if (problems.length > 0) continue;
    if (declared.default === undefined) {
      open.set(name, declared);
      continue;
    }
    const problem = mismatch(declared, declared.default);
    if (problem === undefined) values.set(name, declared.default);
    else findings.push(refuse('INVALID_FIELD', path, `the value of the input ${quote(name)} ${problem}`));
  }
  return { findings, values, open, inputs: Object.fromEntries(merged) };
}
