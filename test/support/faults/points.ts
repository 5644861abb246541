/**
 * The vocabulary of the crash lab: where a fault can strike, and how.
 *
 * A point is `<part>.<method>.<before|after>`: just before the call, or when it is done and its caller has not been told.
 * Every kind is something that happens to a real deployment:
 *   crash              the process dies at the point (SIGKILL of itself); what was in flight is delivered again
 *   exception          the call throws: before = nothing was done; after = it was done, and the caller is told otherwise
 *   duplicateDelivery  what contains the point is delivered twice: before = at the same time, after = once more when the
 *                      first delivery has ended (its answer is dropped). A request of a user is sent twice at once
 *   lostAnswer         the work of the delivery is done, its answer does not arrive: before = the engine is told that it
 *                      failed; after = nobody is told, the process dies between the work and its answer
 * At an orchestrator's answer a duplicate asks the same code again about the same messages, and a lost answer is asked
 * for again; an exception is no fault there (code that throws ends its instance on every engine).
 */
export const FAULT_KINDS = ['crash', 'exception', 'duplicateDelivery', 'lostAnswer'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
export type Side = 'before' | 'after';
export type Part = 'ledger' | 'store' | 'tools' | 'job' | 'engine' | 'orchestrator';

export interface Fault {
  readonly point: string;
  /** From 1: which time the run comes by this point. */
  readonly occurrence: number;
  readonly kind: FaultKind;
}

/** Every ledger method that writes on behalf of a run. Reads change nothing: a fault in one is a fault before the next write. */
export const LEDGER_WRITES = [
  'createRun',
  'moveRun',
  'setControl',
  'setHeld',
  'stopRun',
  'finishRun',
  'savePlan',
  'reserve',
  'renew',
  'submitted',
  'follow',
  'release',
  'complete',
  'fail',
  'recordDecisions',
  'saveExpansion',
  'planInstance',
  'moveInstance',
  'appendEvent',
] as const;

export const JOB_CALLS = ['submit', 'find', 'poll', 'cancel'] as const;
export const ENGINE_CALLS = ['startNew', 'raiseEvent'] as const;

export function splitPoint(point: string): { part: Part; method: string; side: Side } {
  const [part = '', method = '', side = ''] = point.split('.');
  return { part: part as Part, method, side: side as Side };
}

/** Whether this kind means anything at this point. */
export function applies(point: string, kind: FaultKind): boolean {
  return !(kind === 'exception' && splitPoint(point).part === 'orchestrator');
}

/** Ends the process of the host: such a cell has its host for itself. */
export function kills({ kind, point }: Fault): boolean {
  const { part, side } = splitPoint(point);
  return kind === 'crash' || (kind === 'lostAnswer' && side === 'after' && part !== 'orchestrator');
}
