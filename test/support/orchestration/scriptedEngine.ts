/**
 * Makes histories with the SDK's own executor: an orchestrator is replayed, whatever it asks for is answered by a script,
 * and each answer is an episode of its own. The numbers are the extension's: the place in the flattened action list.
 */
import { createHash } from 'node:crypto';
import { durably, type Body } from '../../../src/orchestration/durableBinding.ts';
import {
  childDone,
  done,
  failed,
  fired,
  History,
  raised,
  replay,
  type Action,
  type Answer,
} from '../../unit/orchestration/sdkReplay.ts';
import type { Step } from '../../../src/orchestration/verbs.ts';

/** What a script says of one call: its result, perhaps much later, that it was lost, or nothing while it stays open. */
export type Said = { readonly result: unknown; readonly afterMs?: number } | { readonly lost: string } | null;
export interface Script {
  readonly body: Body;
  readonly instanceId: string;
  readonly input: unknown;
  /** @param times how often this call has been looked at before. */
  answer(
    call: Required<Pick<Action, 'functionName'>> & { readonly input: unknown; readonly id: string },
    now: number,
  ): Said;
  /** Events to raise before the episode with this number (from 1). */
  readonly events?: Readonly<Record<number, readonly string[]>>;
}
export interface Episode {
  readonly actions: readonly Action[];
  readonly customStatus: unknown;
  readonly isDone: boolean;
  readonly output: unknown;
}
export interface Recording {
  readonly events: readonly Record<string, unknown>[];
  /** Digest of what each episode answered: whole lists of every episode would grow with the square of the history. */
  readonly digests: readonly string[];
  /** What the last episode answered, in full. */
  readonly end: Episode;
}

const TIMER = 5;
const CONTINUE_AS_NEW = 4;
const WHEN_ANY = 11;
const CHILD_TYPES: ReadonlySet<number> = new Set([2, 3]);

export const flat = (actions: readonly Action[]): Action[] =>
  actions.flatMap((action) => (action.actionType === WHEN_ANY ? flat(action.compoundActions ?? []) : [action]));

/** The orchestrator as it is registered. */
export const registered =
  (body: Body) =>
  (...[, context]: Parameters<Parameters<typeof replay>[0]>): Step<unknown> =>
    durably(context, body);

export const digestOf = (answered: Episode): string =>
  createHash('sha256').update(JSON.stringify(answered)).digest('hex').slice(0, 32);

export const episodeOf = ({ actions, customStatus, isDone, output }: Answer): Episode => ({
  actions,
  customStatus: customStatus ?? null,
  isDone,
  output: output ?? null,
});

/** Runs a script to the end of its instance or generation; throws when nothing can go on. */
export async function record(script: Script): Promise<Recording> {
  const history = new History(script.input);
  const body = registered(script.body);
  const settled = new Set<number>();
  const digests: string[] = [];
  let last: Episode;
  for (;;) {
    const answer = await replay(body, history, script.instanceId);
    last = episodeOf(answer);
    digests.push(digestOf(last));
    const calls = flat(answer.actions);
    if (answer.isDone || calls.some(({ actionType }) => actionType === CONTINUE_AS_NEW))
      return { events: history.events, digests, end: last };
    if (digests.length > 400) throw new Error('the script does not end');
    const events = (script.events?.[digests.length] ?? []).map((name) => raised(name, true));
    const next = events.length > 0 ? events : nextEvent(script, calls, settled, history);
    history.batch(...next);
  }
}

/** The first open call that the script answers; otherwise the earliest timer fires. */
function nextEvent(
  script: Script,
  calls: readonly Action[],
  settled: Set<number>,
  history: History,
): Record<string, unknown>[] {
  for (const [id, call] of calls.entries()) {
    if (settled.has(id) || call.functionName === undefined) continue;
    const input: unknown = typeof call.input === 'string' ? JSON.parse(call.input) : call.input;
    const said = script.answer({ functionName: call.functionName, input, id: call.instanceId ?? '' }, history.now);
    if (said === null) continue;
    settled.add(id);
    if ('result' in said) history.later(said.afterMs ?? 0);
    if ('lost' in said)
      return [CHILD_TYPES.has(call.actionType) ? { ...failed(id, said.lost), EventType: 9 } : failed(id, said.lost)];
    return [CHILD_TYPES.has(call.actionType) ? childDone(id, said.result) : done(id, said.result)];
  }
  const due = (call: Action): number => Date.parse(String((call as { fireAt?: unknown }).fireAt));
  const timers = [...calls.entries()].filter(
    ([id, call]) => call.actionType === TIMER && call.isCanceled !== true && !settled.has(id),
  );
  const [first] = timers.sort(([, a], [, b]) => due(a) - due(b));
  if (first === undefined) throw new Error('nothing is open that could settle');
  settled.add(first[0]);
  history.later(Math.max(0, due(first[1]) - history.now - 1_000));
  return [fired(first[0])];
}
