/**
 * The rules of the scheduler written a second time, from the outside: it looks at what was called and answered, and knows
 * nothing of the interpreter's board.
 */
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import type { HandCall, Watch, World } from './world.ts';

type Fate = 'done' | 'skipped' | 'failed';
interface Input {
  readonly nodeId: string;
  readonly item?: number;
  readonly attempt: number;
  readonly phase?: string;
  readonly again?: unknown;
}

export class Oracle implements Watch {
  readonly problems: string[] = [];
  readonly #schedule: Schedule;
  readonly #index: ReadonlyMap<string, number>;
  readonly #calls = new Map<string, number>();
  /** Fate of `id` or `id[item]`, as the answers told it; a tolerated failure counts once no attempt is left. */
  readonly #fates = new Map<string, Fate>();
  readonly #begun = new Set<string>();
  readonly #open = new Map<HandCall, string>();
  #over = false;
  /** As far as the run has been told it is suspended, or it was held back and has not read the flag since. */
  #doubt = false;
  #now: () => number = () => 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#index = new Map(schedule.nodes.map(({ id }, i) => [id, i]));
  }

  begun(instanceId: string, call: HandCall, world: World): void {
    this.#now = () => world.now;
    const { name } = call;
    const input = call.input as unknown as Input;
    const inRun = instanceId === 'run-1';
    const isLane = call.kind === 'child' && name.startsWith('lane1:');
    if (inRun && (isLane || ['node1', 'expand1', 'gather1'].includes(name))) {
      this.#open.set(call, name);
      const open = [...this.#open.keys()].filter((one) => one.settled === undefined).length;
      if (open > this.#schedule.window) this.problems.push(`${String(open)} slots of ${String(this.#schedule.window)}`);
      if (this.#over) this.problems.push(`${name} was started after the end had begun`);
    }
    if (call.kind === 'child') return;
    if (name === 'stop1' && inRun) this.#over = true;
    if (!['node1', 'expand1', 'gather1'].includes(name) || input.again !== undefined) return;
    const key = [instanceId.slice(0, 0), name, input.nodeId, input.item ?? -1, input.attempt, input.phase ?? ''].join(
      ' ',
    );
    const laneAgain = !inRun && world.faults > 0;
    const times = (this.#calls.get(key) ?? 0) + 1;
    this.#calls.set(key, times);
    if (times > 1 && !laneAgain) this.problems.push(`I4: ${key} was called twice`);
    this.#edges(name, input, inRun);
    this.#begun.add(`${name} ${input.nodeId}[${String(input.item ?? -1)}]`);
  }

  answered(instanceId: string, call: HandCall, value: unknown): void {
    const input = call.input as unknown as Input;
    const answer = value as {
      state?: string;
      control?: string;
      error?: { class: string };
      result?: unknown;
      stopping?: string;
    };
    if (
      call.name === 'control1' &&
      instanceId === 'run-1' &&
      (answer.control === 'cancel' || answer.stopping !== undefined)
    )
      this.#over = true;
    if (call.name === 'control1' && instanceId === 'run-1') this.#doubt = answer.control === 'suspend';
    if (answer.state === 'held') {
      this.#doubt ||= instanceId === 'run-1';
      const key = [
        instanceId.slice(0, 0),
        call.name,
        input.nodeId,
        input.item ?? -1,
        input.attempt,
        input.phase ?? '',
      ].join(' ');
      this.#calls.set(key, 0);
    }
    // A wait that was too early by the clock is completed by a further call of the same attempt.
    if (answer.state === 'wait')
      this.#calls.set(['', 'node1', input.nodeId, input.item ?? -1, input.attempt, 'end'].join(' '), 0);
    if (call.name === 'node1') this.#note(input, answer);
    if (call.name === 'gather1') this.#note({ ...input, item: -1 }, answer);
    if (call.name === 'jobStep1' && answer.result !== undefined)
      this.#note(answer.result as Input, answer.result as typeof answer);
  }

  #note(input: Input, answer: { state?: string; error?: { class: string } }): void {
    const key = `${input.nodeId}[${String(input.item ?? -1)}]`;
    const node = this.#schedule.nodes[this.#index.get(input.nodeId) ?? -1];
    if (answer.state === 'done' || answer.state === 'skipped') this.#fates.set(key, answer.state);
    else if (answer.state === 'failed' && node?.soft === true) {
      const again =
        ['transient', 'throttled'].includes(answer.error?.class ?? '') && input.attempt % 100 < node.attempts;
      // Close to the deadline another attempt may be out of reach: both are right.
      if (!again || this.#now() + 90_000 > this.#schedule.deadlineAt) this.#fates.set(key, 'failed');
    }
  }

  /** Every edge into what starts is settled, and nothing that it needs has ended without outputs (I1). */
  #edges(name: string, input: Input, inRun: boolean): void {
    const node = this.#schedule.nodes[this.#index.get(input.nodeId) ?? -1];
    if (node === undefined) return;
    const group = new Set(this.#schedule.groups?.[node.group ?? -1]?.members ?? []);
    const item = name === 'node1' ? (input.item ?? -1) : -1;
    for (const before of node.after) {
      const inside = group.has(before) && name === 'node1';
      if (!inside && !inRun) continue;
      const fate = this.#fate(before, inside ? item : -1);
      const id = this.#schedule.nodes[before]?.id ?? '';
      if (fate === undefined) this.problems.push(`I1: ${name} ${input.nodeId}[${String(item)}] before ${id}`);
      const needs = node.needs?.includes(before) === true && (inside || !group.has(before));
      if (needs && fate !== 'done')
        this.problems.push(`${input.nodeId}[${String(item)}] needs ${id}, which ${String(fate)}`);
    }
  }

  /** What became of a node or item; skipped in consequence counts, worked out from its own edges. */
  #fate(index: number, item: number): Fate | undefined {
    const node = this.#schedule.nodes[index];
    if (node === undefined) return undefined;
    const known = this.#fates.get(`${node.id}[${String(item)}]`);
    if (known !== undefined) return known;
    const group = this.#schedule.groups?.[node.group ?? -1]?.members;
    if (item < 0 && group !== undefined && group[0] !== index)
      return this.#fate(group[0] ?? -1, -1) === 'skipped' ? 'skipped' : undefined;
    const among = item < 0 ? node.after : node.after.filter((before) => group?.includes(before));
    const fates = among.map((before) => [before, this.#fate(before, item)] as const);
    if (fates.some(([, fate]) => fate === undefined)) return undefined;
    return fates.some(([before, fate]) => node.needs?.includes(before) === true && fate !== 'done')
      ? 'skipped'
      : undefined;
  }

  /** I3: with a free slot nothing that could start is left lying. */
  settled(world: World): void {
    if (
      this.#over ||
      this.#doubt ||
      world.ledger.over ||
      world.ledger.control === 'suspend' ||
      world.root.ended !== undefined
    )
      return;
    if (world.root.open('control1').length > 0 || world.root.open('stop1').length > 0) return;
    if (world.now + 90_000 > this.#schedule.deadlineAt) return;
    const open = [...this.#open.keys()].filter((call) => call.settled === undefined).length;
    if (open >= this.#schedule.window) return;
    this.#schedule.nodes.forEach((node, index) => {
      const group = this.#schedule.groups?.[node.group ?? -1]?.members;
      if (group !== undefined && group[0] !== index) return;
      const name = group === undefined ? 'node1' : 'expand1';
      if (this.#begun.has(`${name} ${node.id}[-1]`) || this.#fate(index, -1) !== undefined) return;
      if (node.after.every((before) => this.#fate(before, -1) !== undefined))
        this.problems.push(`I3: ${node.id} could start and does not`);
    });
  }

  /** At the end: every node settled by an answer or closed by a decision, nothing left open. */
  atEnd(world: World): void {
    const { ended } = world.root;
    if (ended === undefined || 'error' in ended) {
      this.problems.push(
        `no end: ${JSON.stringify(ended)}; open ${world.root
          .open()
          .map(({ name }) => name)
          .join()}`,
      );
      return;
    }
    const { error, decisions, holds } = ended.value;
    if (world.root.openTimers().length > 0) this.problems.push('I11: a timer was left open');
    const left = world.root.open().filter((call) => !holds.includes(call));
    if (left.length > 0) this.problems.push(`left open: ${left.map(({ name }) => name).join()}`);
    if (error?.code === 'SCHEDULER_STALLED' || error?.code === 'DETERMINISM_VIOLATION')
      this.problems.push(`${error.code}: ${error.message}`);
    const closed = new Set(
      [...world.ledger.decisions.values(), ...decisions]
        .filter(({ kind, item }) => kind !== 'retryWait' && item === -1)
        .map(({ nodeId }) => nodeId),
    );
    for (const node of this.#schedule.nodes) {
      const row = world.ledger.rows.get(`${node.id}:-1`);
      const own = node.group === undefined && row !== undefined && row.state !== 'open';
      const settled = own || this.#fates.has(`${node.id}[-1]`);
      if (!settled && !closed.has(node.id) && !this.#lostForGood(error, node.id))
        this.problems.push(`${node.id} is neither settled nor closed (${JSON.stringify(error)})`);
      if (error === null && !this.#fates.has(`${node.id}[-1]`) && !closed.has(node.id))
        this.problems.push(`${node.id} has no fate in a run that went well`);
    }
  }

  #lostForGood(error: { readonly message: string } | null, id: string): boolean {
    return error?.message.startsWith(`${id}: `) === true;
  }
}
