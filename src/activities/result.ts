import { checkEncodable, MAX_RESULT_BYTES } from '../plan/codec.ts';
import type { NodeError } from '../plan/errors.ts';
import { ToolError } from '../plan/errors.ts';
import { StateInvalid, StoreUnavailable } from '../ledger/port.ts';
import type { Services } from '../runs/services.ts';

/** Checks that an answer survives JSON unchanged and is small (I8); throws the codec's refusal otherwise. */
export function answer<T>(value: T, maxBytes = MAX_RESULT_BYTES): T {
  const problem = checkEncodable(value, maxBytes);
  if (problem !== undefined)
    throw new ToolError(problem.code, `${problem.message} (at ${problem.path === '' ? 'the top' : problem.path})`);
  return value;
}

/**
 * What went wrong, as a value. A store that is away is transient; a row in an unknown shape is not; a fault of ours
 * (any other exception) is `TOOL_FAILED` with its message and never a stack trace.
 */
export function asNodeError(error: unknown): NodeError {
  if (error instanceof ToolError) return error.toNodeError();
  if (error instanceof StoreUnavailable)
    return { code: 'STORE_UNAVAILABLE', class: 'transient', message: error.message.slice(0, 500) };
  if (error instanceof StateInvalid)
    return { code: 'STATE_INVALID', class: 'unexpected', message: error.message.slice(0, 500) };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'TOOL_FAILED', class: 'permanent', message: message.slice(0, 500) };
}

/** Cuts an error to what an activity may return: message ≤ 1 000 characters, well below the 2 KiB bound even in UTF-8. */
export function shortError(error: NodeError): NodeError {
  let message = error.message.slice(0, 1000).toWellFormed();
  while (new TextEncoder().encode(message).byteLength > 1200)
    message = message.slice(0, Math.floor(message.length * 0.8)).toWellFormed();
  return { ...error, message };
}

/** A result before it is given the name of its attempt. */
export type Unnamed<R> = R extends unknown ? Omit<R, 'version' | 'nodeId' | 'item' | 'attempt'> : never;

/** What went wrong with an operation, short enough to be answered; a fault of ours is logged too. */
export function failureOf(
  services: Pick<Services, 'log'>,
  { runId, nodeId }: { readonly runId: string; readonly nodeId: string },
  error: unknown,
): NodeError {
  const failure = shortError(asNodeError(error));
  if (!(error instanceof ToolError))
    services.log.nodeFailed({ runId, nodeId, code: failure.code, message: failure.message });
  return failure;
}
