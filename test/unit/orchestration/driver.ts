/** Drives the interpreter by hand over a schedule: helpers that the tests of its rules share. */
import { interpret, type Interpretation } from '../../../src/orchestration/interpreter.ts';
import type { Decision } from '../../../src/orchestration/messages.ts';
import { controlEvent } from '../../../src/orchestration/names.ts';
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import { HandDriven } from '../../support/handDriven.ts';
import { expanded, failed, succeeded } from '../../support/schedules.ts';

export type Call = HandDriven<unknown>['calls'][number];
export interface CallInput {
  readonly nodeId: string;
  readonly item?: number;
  readonly attempt: number;
  readonly phase?: 'do' | 'end';
  readonly by: string;
  readonly inlineLeft?: number;
  readonly again?: { readonly from: number; readonly attempt: number };
  readonly decisions: readonly Decision[];
}

export const inputOf = (call: Call | undefined): CallInput => call?.input as unknown as CallInput;
/** `a`, `a[3]`, `expand a`, `gather a`, `lane1`, `sleep1`. */
export function nameOf(call: Call): string {
  if (call.kind === 'child') return call.name.slice(0, call.name.indexOf(':'));
  const { nodeId, item = -1 } = inputOf(call);
  const id = item < 0 ? nodeId : `${nodeId}[${String(item)}]`;
  if (call.name === 'node1') return id;
  return call.name === 'expand1' || call.name === 'gather1' ? `${call.name.slice(0, -1)} ${id}` : call.name;
}
export const childId = (call: Call | undefined): string => call?.name.slice(call.name.indexOf(':') + 1) ?? '';

export class Driver {
  readonly hand: HandDriven<Interpretation>;

  constructor(schedule: Schedule) {
    this.hand = new HandDriven((verbs) => interpret(verbs, schedule));
  }

  /** Names of what is open, in order of starts. */
  get open(): string[] {
    return this.hand.open().map(nameOf);
  }

  call(name: string): Call {
    const found = this.hand.open().find((call) => nameOf(call) === name);
    if (found === undefined) throw new Error(`${name} is not open; open: ${this.open.join(', ')}`);
    return found;
  }

  finish(...names: readonly string[]): this {
    for (const name of names) this.answer(name, succeeded);
    return this;
  }

  fail(name: string, errorClass = 'permanent', more: Parameters<typeof failed>[2] = {}): this {
    return this.answer(name, (input) => failed(input, errorClass, more));
  }

  answer(name: string, value: (input: unknown) => unknown): this {
    const call = this.call(name);
    this.hand.answer(call, value(call.input));
    return this;
  }

  expand(head: string, count: number, mode: 'inline' | 'lanes' = 'inline'): this {
    return this.answer(`expand ${head}`, (input) => expanded(input, count, mode));
  }

  /** A lane answers for the items it was made for; `lanes` in order of their first items. */
  endLane(call: Call, from: number, to: number): this {
    this.hand.answer(call, { version: 1, ok: true, from, to });
    return this;
  }

  lose(name: string, message = 'worker gone'): this {
    this.hand.lose(this.call(name), message);
    return this;
  }

  /** The ledger has been told of a failure. */
  told(): readonly Decision[] {
    const call = this.call('stop1');
    this.hand.answer(call, { version: 1, seq: 1 });
    return inputOf(call).decisions;
  }

  /** Raises control change `seq` and answers the question that it causes. */
  control(control: 'none' | 'suspend' | 'cancel', seq: number, more: Record<string, unknown> = {}): this {
    this.hand.raise(controlEvent('run-1', seq));
    this.hand.answer(this.call('control1'), { version: 1, control, seq, ...more });
    return this;
  }

  get ended(): boolean {
    return this.hand.ended !== undefined;
  }

  /** What it ended with; throws while it runs, and when it broke. */
  get result(): Interpretation {
    const { ended } = this.hand;
    if (ended === undefined) throw new Error(`not ended; open: ${this.open.join(', ')}`);
    if ('error' in ended) throw ended.error instanceof Error ? ended.error : new Error(String(ended.error));
    return ended.value;
  }

  /** Every decision that was told, in order; each call tells what was decided since the last. */
  get decisions(): string[] {
    const all = [
      ...this.hand.calls.flatMap((call) => (call.input as { decisions?: readonly Decision[] } | null)?.decisions ?? []),
      ...(this.ended ? this.result.decisions : []),
    ];
    const once = new Map(all.map((decision) => [decision.seq, decision]));
    return [...once.values()].map(
      ({ nodeId, item, kind }) => `${item < 0 ? nodeId : `${nodeId}[${String(item)}]`} ${kind}`,
    );
  }
}
