/**
 * What must be true at the end, whatever happened: computed from the fault-free run of the same scenario and the fault
 * alone, and compared with the ledger, the journal of the counting tools, and the engine.
 */
import { splitPoint, type Fault } from './points.ts';
import type { Fired } from './cellFiles.ts';

export interface Operation {
  readonly node: string;
  readonly state: string;
}

/** The end of one run, without its ids and times. */
export interface End {
  readonly status: string;
  /** `node#item` → how its operation ended; a key that is there twice is an error of the ledger. */
  readonly operations: ReadonlyMap<string, string>;
  /** `node#item.output` → sha256. */
  readonly artifacts: ReadonlyMap<string, string>;
  /** `node#item` → how the scheduler skipped it. */
  readonly decisions: ReadonlyMap<string, string>;
  /** `what:node#item` → how often the tool really ran. */
  readonly effects: ReadonlyMap<string, number>;
  /** Moves into a terminal status in the audit log. */
  readonly terminalEvents: number;
  readonly auditOk: boolean;
  /** Ledger instances not ended, engine instances not ended, messages and timers left for this run. */
  readonly openInstances: number;
  readonly runningInstances: number;
  readonly leftMessages: number;
}

/** Where the tool's work is done and its result is not yet in the ledger. */
const WORK_AT_RISK: ReadonlySet<string> = new Set([
  'tools.run.after',
  'store.put.before',
  'store.put.after',
  'ledger.complete.before',
  // The lease is renewed while the tool is at work.
  'ledger.renew.before',
  'ledger.renew.after',
]);

/**
 * Executions of an effect-free tool that a fault may cost beside the first: one, and only where the process died or the
 * call broke between work and completion. A duplicate delivery or a lost answer never costs one.
 */
export function extraExecutions(fault: Fault, fired: Pick<Fired, 'functionName'>): number {
  const breaks = fault.kind === 'crash' || fault.kind === 'exception';
  // A renewal that breaks is tried again; the work goes on.
  if (fault.kind === 'exception' && fault.point.startsWith('ledger.renew.')) return 0;
  return breaks && WORK_AT_RISK.has(fault.point) && fired.functionName === 'node1' ? 1 : 0;
}

const showMap = (map: ReadonlyMap<string, unknown>): string =>
  JSON.stringify([...map].sort(([a], [b]) => (a < b ? -1 : 1)));

function compareMaps(what: string, want: ReadonlyMap<string, unknown>, got: ReadonlyMap<string, unknown>): string[] {
  return showMap(want) === showMap(got) ? [] : [`${what}: expected ${showMap(want)}, got ${showMap(got)}`];
}

function without<T>(
  map: ReadonlyMap<string, T>,
  cut: readonly string[],
  nodeOf: (key: string) => string,
): Map<string, T> {
  return new Map([...map].filter(([key]) => !cut.includes(nodeOf(key))));
}

const nodeOfKey = (key: string): string => key.split('#')[0] ?? '';
const nodeOfEffect = (key: string): string => nodeOfKey(key.slice(key.indexOf(':') + 1));

interface Context {
  readonly fault: Fault | null;
  readonly fired: Fired | undefined;
  readonly cut: readonly string[];
  /** Nodes whose result says when it was made: only that it is there is compared. */
  readonly timed?: readonly string[];
  /** `node#item` → how often a process died in the middle of its work: each time it may have done it, and does it again. */
  readonly atWork: ReadonlyMap<string, number>;
}

function compareEffects(want: End, got: End, { fault, fired, cut, atWork }: Context): string[] {
  const problems: string[] = [];
  const struck = fired === undefined ? '' : `${fired.nodeId ?? ''}#${String(fired.item ?? -1)}`;
  const extra = fault === null || fired === undefined ? 0 : extraExecutions(fault, fired);
  for (const key of new Set([...want.effects.keys(), ...got.effects.keys()])) {
    const expected = want.effects.get(key) ?? 0;
    const count = got.effects.get(key) ?? 0;
    const place = key.slice(key.indexOf(':') + 1);
    const most = expected + (atWork.get(place) ?? 0) + (key.endsWith(`:${struck}`) ? extra : 0);
    const least = cut.includes(nodeOfEffect(key)) ? 0 : expected;
    if (count < least || count > most)
      problems.push(`effect ${key}: expected ${String(least)} to ${String(most)}, counted ${String(count)}`);
  }
  return problems;
}

/** Every way in which `got` is not what the fault-free run and this fault allow; empty = as it must be. */
export function judgeEnd(want: End, got: End, context: Context): string[] {
  const { fault, fired, cut, timed = [] } = context;
  const untimed = (map: ReadonlyMap<string, string>): Map<string, string> =>
    new Map([...map].map(([key, sha256]) => [key, timed.includes(nodeOfKey(key)) ? 'there' : sha256]));
  const problems = fault !== null && fired === undefined ? [`the run never came by ${fault.point}`] : [];
  if (got.status !== want.status) problems.push(`status: expected ${want.status}, got ${got.status}`);
  if (got.terminalEvents !== 1) problems.push(`${String(got.terminalEvents)} moves into a terminal status`);
  problems.push(
    ...compareMaps('operations', without(want.operations, cut, nodeOfKey), without(got.operations, cut, nodeOfKey)),
    ...compareMaps('artifacts', untimed(want.artifacts), untimed(got.artifacts)),
    ...compareMaps('decisions', without(want.decisions, cut, nodeOfKey), without(got.decisions, cut, nodeOfKey)),
    ...compareEffects(want, got, context),
  );
  for (const node of cut) {
    const state = [...got.operations].find(([key]) => nodeOfKey(key) === node)?.[1];
    if (state === 'completed') problems.push(`${node} was cut short and is completed`);
  }
  if (!got.auditOk) problems.push('the audit chain is broken');
  if (got.openInstances > 0) problems.push(`${String(got.openInstances)} children not ended in the ledger`);
  if (got.runningInstances > 0) problems.push(`${String(got.runningInstances)} instances not ended in the engine`);
  if (got.leftMessages > 0) problems.push(`${String(got.leftMessages)} messages or timers left in the engine`);
  return problems;
}

/** For the table: which fault this cell was. */
export function describeFault({ point, occurrence, kind }: Fault): string {
  const { part, method, side } = splitPoint(point);
  return `${kind} ${side} ${part}.${method} #${String(occurrence)}`;
}
