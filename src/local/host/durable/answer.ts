import { checkAction, UnsupportedActionError, type Action } from './actions.ts';
import type { FailureDetails } from './events.ts';

/** What the SDK answered to one episode: the whole action list since the start of this execution, and how far the code got. */
export interface Answer {
  readonly actions: readonly Action[];
  readonly isDone: boolean;
  /** JSON text of the return value; null when the code returned nothing. */
  readonly output: string | null;
  /** JSON text; undefined when the SDK sent none (it sends only truthy values, an earlier one stays). */
  readonly customStatus: string | undefined;
  /** Message of the error that left the orchestrator; undefined when none did. Never empty. */
  readonly error: string | undefined;
  readonly failureDetails: FailureDetails;
}

/** The answer could not be used at all: the instance fails at once and its actions are lost. */
export interface Broken {
  readonly broken: string;
  /**
   * The engine saw an exception and no state: it replays without actions, so that an instance with a history ends as
   * non-deterministic. Absent for refusals of this host's own.
   */
  readonly thrown?: true;
  /** The error that left the code had no text (Q11). */
  readonly silent?: true;
}

/** How the invocation ended, as the loader reports it. */
export type RawAnswer =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly message: string; readonly stack: string };

const LABEL = '$OutOfProcData$:';

interface State {
  readonly isDone?: unknown;
  readonly actions?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly customStatus?: unknown;
  readonly failureDetails?: unknown;
}

/** How .NET words an exception that it can't look into. */
const thrownText = (raw: { readonly message: string; readonly stack: string }): string =>
  `One or more errors occurred. (Result: Failure\nException: ${raw.message}\nStack: ${raw.stack})`;

/**
 * Reads the SDK's answer. A failing orchestrator answers by throwing an error whose message carries the state behind
 * the last `$OutOfProcData$:` label; a throw without the label loses the actions.
 */
export function parseAnswer(raw: RawAnswer): Answer | Broken {
  let text: string | undefined;
  if (raw.ok) text = raw.text;
  else {
    const at = raw.message.lastIndexOf(LABEL);
    if (at < 0) return { broken: thrownText(raw), thrown: true };
    text = raw.message.slice(at + LABEL.length);
  }
  let state: State;
  try {
    state = JSON.parse(text ?? '') as State;
  } catch {
    const why = raw.ok
      ? 'the orchestrator returned no state: is the function a generator registered with df.app.orchestration?'
      : 'the state of the failing orchestrator is no JSON any more: where a text in it looks like a credential, the host cuts it (Q24)';
    return { broken: `One or more errors occurred. (${why})` };
  }
  // Without an error in it the engine doesn't take the state of a failure for one (Q11).
  if (!raw.ok && (typeof state.error !== 'string' || state.error === ''))
    return { broken: thrownText(raw), thrown: true, silent: true };
  try {
    const lists = Array.isArray(state.actions) ? (state.actions as unknown[]) : [];
    return {
      actions: lists.flatMap((list) => (Array.isArray(list) ? list.map(checkAction) : [])),
      isDone: state.isDone === true,
      output: state.output === undefined ? null : JSON.stringify(state.output),
      customStatus:
        state.customStatus === undefined || state.customStatus === null
          ? undefined
          : JSON.stringify(state.customStatus),
      error: typeof state.error === 'string' && state.error !== '' ? state.error : undefined,
      failureDetails: typeof state.failureDetails === 'object' ? (state.failureDetails as FailureDetails) : null,
    };
  } catch (error) {
    if (error instanceof UnsupportedActionError) return { broken: error.message };
    throw error;
  }
}
