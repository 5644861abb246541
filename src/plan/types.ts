/** Shapes of a plan (contracts.md "Plan"). `schema.ts` parses untrusted input into them; nothing else creates them. */

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** `{ref}`: `nodeId.output[.path]`, `$inputs.name[.path]`, `$item[.path]`, `$index`. */
export interface Reference {
  readonly ref: string;
  readonly default?: JsonValue;
}

/** `{literal: any}` escapes a value that would otherwise be read as a reference. */
export interface Literal {
  readonly literal: JsonValue;
}

export type InputDeclaration =
  | JsonValue
  | {
      readonly type: 'number' | 'string' | 'boolean' | 'time' | 'artifact';
      readonly unit?: string;
      readonly min?: number;
      readonly max?: number;
      readonly enum?: JsonValue[];
      readonly default?: JsonValue;
    };

export interface PlanNode {
  readonly id: string;
  readonly tool: string;
  /** Declared edges; after normalisation the union of declared and referenced ones, sorted and unique. */
  readonly dependsOn: readonly string[];
  /** Argument templates: JSON with `{ref}` and `{literal}` anywhere inside. */
  readonly args: Readonly<Record<string, JsonValue>>;
  readonly retry?: { readonly maxAttempts: number };
  readonly timeoutSeconds?: number;
  readonly title?: string;
  /** Set on nodes that normalisation added. */
  readonly insertedBy?: 'normalise';
  /** False: the node is skipped, which is neutral. */
  readonly when?: Predicate;
  /** One instance an item. */
  readonly forEach?: ForEach;
  /** Over the node's own outputs (`$output.name`); all must hold, or its result is `unexpected`. */
  readonly expect?: readonly Predicate[];
  readonly onFailure?: OnFailure;
}

/** Typed, without coercion. Operands are literals or references. */
export type Predicate =
  | { readonly all: readonly Predicate[] }
  | { readonly any: readonly Predicate[] }
  | { readonly not: Predicate }
  | { readonly op: PredicateOp; readonly left: JsonValue; readonly right?: JsonValue };

/** `exists` takes `left` alone: a reference that has a value, be it null. Order is defined for two numbers or two texts. */
export const PREDICATE_OPS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in', 'exists'] as const;
export type PredicateOp = (typeof PREDICATE_OPS)[number];

export interface ForEach {
  /** A JSON array, or a reference to one. */
  readonly items: JsonValue;
  readonly maxItems: number;
}

/** `continue` only on nodes without effects. `replan` is refused until it is supported: validation/unsupported.ts. */
export type OnFailure = 'fail' | 'continue' | 'replan';

export interface PlanLimits {
  readonly deadlineSeconds?: number;
  readonly maxCostCents?: number;
}

export interface Plan {
  readonly schemaVersion: '1.0';
  readonly workflowId: string;
  readonly goal: string;
  readonly inputs: Readonly<Record<string, InputDeclaration>>;
  readonly nodes: readonly PlanNode[];
  readonly outputs: Readonly<Record<string, Reference>>;
  readonly context: { readonly assumptions: readonly string[]; readonly constraints: readonly string[] };
  readonly limits: PlanLimits;
}
