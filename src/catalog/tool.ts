import type { z } from 'zod';
import type { NodeError } from '../plan/errors.ts';
import type { Finding, FindingCode, PatchOperation } from '../plan/finding.ts';
import type { FeatureRole, PortKind, PortType, RasterRole } from './portTypes.ts';

export type Effect = 'none' | 'temporary' | 'publishes' | 'modifiesAuthoritative' | 'notifies';
export type Integrity = 'external' | 'model' | 'synthetic';

/** Labels on every output; they flow over data and control edges. An empty `integrity` means trusted. */
export interface Labels {
  /** Sorted, unique. */
  readonly integrity: readonly Integrity[];
  readonly confidentiality: 'public' | 'internal' | 'restricted';
  /** Sorted, unique: licence and attribution texts of every source. */
  readonly licences: readonly string[];
}

/** What an input port takes. Several alternatives: the first that fits is used (for example features or raster). */
export interface InputPort {
  readonly accepts: readonly PortPattern[];
  readonly required: boolean;
  readonly description: string;
  /** Other ports of this tool that exclude this one: it is not bound automatically beside one of them. */
  readonly insteadOf?: readonly string[];
  /** True for a port that means something only when it was asked for: never bound automatically. */
  readonly explicit?: boolean;
}

export interface PortPattern {
  readonly kind: PortKind;
  readonly role?: FeatureRole | RasterRole;
  /** For observations: only validated ones fit. */
  readonly validated?: boolean;
  readonly geometry?: 'point';
}

/** What an output port promises before anything ran; `types` refines it. */
export interface OutputPort {
  readonly type: PortType;
  /** True when some arguments leave it out (then `types` leaves it out too); otherwise its absence fails the node. */
  readonly optional?: boolean;
  readonly description: string;
}

/** A finding of a type rule, without the place: the pass adds path and node. `port` names the argument at fault. */
export interface TypeProblem {
  readonly code: FindingCode;
  readonly severity?: Finding['severity'];
  readonly port: string;
  readonly message: string;
  readonly hint?: string;
  /** *Insert this tool between the port and what feeds it*; the pass turns it into an RFC 6902 patch. */
  readonly insert?: {
    readonly tool: string;
    readonly inputPort: string;
    readonly outputPort: string;
    readonly args: Readonly<Record<string, string | number | boolean>>;
  };
  readonly fix?: readonly PatchOperation[];
}

export interface TypeRuleInput {
  readonly inputs: ReadonlyMap<string, PortType>;
  /** Literal arguments after the schema's defaults; references are absent (known at run time). */
  readonly args: Readonly<Record<string, unknown>>;
}

export interface TypeRuleResult {
  readonly outputs: ReadonlyMap<string, PortType>;
  readonly problems: readonly TypeProblem[];
}

/** An artifact handed to a tool. Bytes have been checked against `sha256` by the caller. */
export interface ToolInput {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly type: PortType;
  readonly sha256: string;
  readonly labels: Labels;
  /** File name of an upload or sample, for format detection and messages. */
  readonly name?: string;
}

/** One output of a tool: bytes that are identical for equal inputs. */
export interface ToolOutput {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The type as it turned out: `null` fields of the promise are filled. */
  readonly type: PortType;
  /** Suggested file name without the synthetic mark, which the caller adds. */
  readonly fileName: string;
}

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  /** What was compared, with numbers. */
  readonly detail: string;
  /** `fatal` (default): the node fails with CHECK_FAILED. `report`: the run ends `unverified`. */
  readonly severity?: 'fatal' | 'report';
}

export interface ToolRun<Args> {
  readonly args: Args;
  /** By port name; an argument of kind source arrives here under its own name (`source`). */
  readonly inputs: ReadonlyMap<string, ToolInput>;
  /** Milliseconds since the epoch: the time of the run, the only clock a tool has. */
  readonly now: number;
  /** BCP 47. */
  readonly locale: string;
  /** IANA zone for local times on maps and texts. */
  readonly timeZone: string;
  /** Of a wait tool only: the recorded time that was waited for, ms since the epoch. */
  readonly until?: number;
  /** Labels that the outputs will carry (union over all inputs and control edges). */
  readonly labels: Labels;
  /** Of tools that run in the host only: aborts at the time limit, on cancel, and when the execution lost its lease. */
  readonly signal?: AbortSignal;
}

export interface ToolResult {
  readonly outputs: ReadonlyMap<string, ToolOutput>;
  readonly checks: readonly CheckResult[];
}

/** How a service tells a repeated call from a new one. `findable`: by a key that we choose and can search for. */
export type Idempotency = 'key' | 'findable' | 'none';

/** What a probe finds about an operation whose answer never came. */
export type ProbeResult =
  | { readonly state: 'done'; readonly result: ToolResult }
  | { readonly state: 'notFound' }
  | { readonly state: 'running'; readonly externalJobId: string }
  | { readonly state: 'unknown'; readonly detail: string };

/** How an effect is undone: by a tool, not at all, or only as a person decides. */
export type Compensation =
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'irreversible' }
  | { readonly kind: 'approvalNeeded' };

/** An effect on the world outside the run; the type asks how it is recognised, probed and undone (design §3). */
export interface EffectfulTool<Args> {
  readonly effect: 'publishes' | 'modifiesAuthoritative' | 'notifies';
  readonly idempotency: Idempotency;
  readonly probe: (run: ToolRun<Args>, operationKey: string) => Promise<ProbeResult>;
  readonly compensate: Compensation;
}

export interface EffectFreeTool {
  readonly effect: 'none' | 'temporary';
  readonly idempotency?: never;
  readonly probe?: never;
  readonly compensate?: never;
}

export interface ToolBase<Args> {
  /** `domain.verb`, exact; lookup never folds case (O-29). */
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  /** Strict object of the arguments that are not ports. References inside are resolved before it parses. */
  readonly input: z.ZodType<Args>;
  readonly ports: {
    readonly inputs: Readonly<Record<string, InputPort>>;
    readonly outputs: Readonly<Record<string, OutputPort>>;
  };
  /** Names of arguments (inside `input`) that are data sources: SRC of contracts.md. */
  readonly sources: readonly string[];
  readonly types: (rule: TypeRuleInput) => TypeRuleResult;
  /** Resource name → tokens one execution holds. */
  readonly resources: Readonly<Record<string, number>>;
  /** Permission the requester must hold, for example `tool:gis.readRainfall`. */
  readonly permission: string;
  readonly cost: { readonly cents: number; readonly seconds: number };
  readonly limits: { readonly timeoutSeconds: number; readonly maxOutputBytes: number; readonly memoryMb: number };
  readonly retry: { readonly maxAttempts: number };
  readonly reuse: 'pure' | 'snapshot' | 'never';
  /** Where the code runs: `child` = a process that can be stopped and is capped in memory. */
  readonly runsIn: 'child' | 'host';
}

/** What the submission of a remote job may lead to. A thrown error that is no `ToolError` is ambiguous: it is looked for. */
export interface Submitted {
  readonly externalJobId: string;
}

export type JobState =
  | { readonly state: 'running'; /** When to look again, ms from now. */ readonly afterMs: number }
  | { readonly state: 'succeeded'; readonly result: ToolResult }
  | { readonly state: 'failed'; readonly error: NodeError }
  | { readonly state: 'cancelled' };

/**
 * A tool whose work is a job of a remote service: submitted under the operation key, followed by a durable child, and
 * collected and checked as soon as it has ended (O-09: long external work is start and poll, never one long activity).
 * `signal` aborts a call that takes longer than the tool's `timeoutSeconds`, or whose owner lease was lost.
 */
export interface JobSteps<Args> {
  readonly submit: (run: ToolRun<Args>, operationKey: string, signal: AbortSignal) => Promise<Submitted>;
  /** Looks for a job under this key after a submission without an answer. */
  readonly find: (
    run: ToolRun<Args>,
    operationKey: string,
    signal: AbortSignal,
  ) => Promise<
    | { readonly state: 'found'; readonly externalJobId: string }
    | { readonly state: 'absent' }
    | { readonly state: 'unknown'; readonly detail: string }
  >;
  readonly poll: (run: ToolRun<Args>, externalJobId: string, signal: AbortSignal) => Promise<JobState>;
  readonly cancel: (run: ToolRun<Args>, externalJobId: string, signal: AbortSignal) => Promise<void>;
}

/** How a tool does its work: at once, after a wait, or as a remote job. */
export type Execution<Args> =
  | {
      readonly run: (run: ToolRun<Args>) => Promise<ToolResult>;
      /** A wait: the absolute time to wait for, from the time at which the node became ready; `run` follows then. */
      readonly wait?: (args: Args, readyAt: number) => number;
      readonly job?: never;
    }
  | { readonly job: JobSteps<Args>; readonly run?: never; readonly wait?: never };

/** Everything about a tool, in one place. Write one with `defineTool`. */
export type ToolDefinition<Args = unknown> = ToolBase<Args> & Execution<Args> & (EffectFreeTool | EffectfulTool<Args>);
