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
  /** Refused by name until they are supported: see validation/unsupported.ts. */
  readonly when?: JsonValue;
  readonly forEach?: JsonValue;
  readonly expect?: JsonValue;
  readonly onFailure?: JsonValue;
}

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
