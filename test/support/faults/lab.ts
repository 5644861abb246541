/** Inside the process under test: meets every point of every cell's run and strikes where the cell says. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Ledger } from '../../../src/ledger/port.ts';
import { CellFiles } from './cellFiles.ts';
import { brokenCall, type Around } from './faultPoints.ts';
import { splitPoint, type Fault, type Side } from './points.ts';

/** One delivery of one function: what a duplicate is a duplicate of, and whose answer may be lost. */
interface Delivery {
  readonly functionName: string;
  readonly runId: string | undefined;
  readonly nodeId: string | null;
  readonly item: number | null;
  again: (() => Promise<unknown>) | null;
  concurrent: Promise<unknown> | undefined;
  once: boolean;
  lose: Side | undefined;
}

export interface Delivered {
  readonly kind: 'activity' | 'orchestrator' | 'other';
  readonly functionName: string;
  readonly runId: string | undefined;
  readonly nodeId: string | null;
  readonly item: number | null;
}

interface Cell {
  readonly name: string;
  readonly fault: Fault | null;
  readonly counts: Map<string, number>;
  spent: boolean;
}

/** Whether this answer of an orchestrator ends its instance. */
function isLast(answer: { value: unknown } | { error: unknown }): boolean {
  if ('error' in answer) return false;
  const state: unknown = typeof answer.value === 'string' ? JSON.parse(answer.value) : answer.value;
  return (state as { isDone?: boolean } | null)?.isDone === true;
}

const never = (): Promise<never> => new Promise(() => undefined);

export class Lab {
  readonly #files: CellFiles;
  readonly #delivery = new AsyncLocalStorage<Delivery>();
  readonly #cells = new Map<string, Cell | undefined>();
  readonly #runs = new Map<string, Cell | undefined>();
  /** Runs whose next function call is the end: their orchestrator's answer is stored by now. */
  readonly #doomed = new Set<string>();
  readonly #atWork = new Set<Delivery>();
  #ledger: Pick<Ledger, 'getRun'> | undefined;

  constructor(folder: string) {
    this.#files = new CellFiles(folder);
  }

  /** @param ledger without points: says which cell a run belongs to, also after a crash */
  useLedger(ledger: Pick<Ledger, 'getRun'>): void {
    this.#ledger = ledger;
  }

  readonly around: Around = async (site, call) => {
    const delivery = this.#delivery.getStore();
    const runId = site.runId ?? delivery?.runId;
    const cell =
      site.idempotencyKey === undefined ? await this.#cellOfRun(runId) : this.#cell(site.idempotencyKey ?? '');
    if (cell === undefined) return call();
    if (site.idempotencyKey !== undefined && runId !== undefined) this.#runs.set(runId, cell);
    await this.#at(cell, `${site.part}.${site.method}.before`, delivery);
    const value = await call();
    await this.#at(cell, `${site.part}.${site.method}.after`, delivery);
    return value;
  };

  /** Runs one delivery of a function; `original` is its handler. */
  async deliver(facts: Delivered, original: () => Promise<unknown>): Promise<unknown> {
    if (facts.runId !== undefined && this.#doomed.has(facts.runId)) return this.#die(undefined);
    if (facts.kind === 'orchestrator') return this.#orchestrate(facts, original);
    const again = facts.kind === 'activity' ? (): Promise<unknown> => this.#repeat(facts, original) : null;
    const delivery: Delivery = { ...facts, again, concurrent: undefined, once: false, lose: undefined };
    this.#atWork.add(delivery);
    try {
      return await this.#deliverOnce(delivery, original);
    } finally {
      this.#atWork.delete(delivery);
    }
  }

  async #deliverOnce(delivery: Delivery, original: () => Promise<unknown>): Promise<unknown> {
    const { again } = delivery;
    let outcome: { value: unknown } | { error: unknown };
    try {
      outcome = { value: await this.#delivery.run(delivery, original) };
    } catch (error) {
      outcome = { error };
    }
    await Promise.allSettled([delivery.concurrent]);
    if (delivery.once && again !== null) return again();
    if (delivery.lose === 'after') return this.#die(delivery);
    if (delivery.lose === 'before') throw new Error('fault: the answer was lost');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  #repeat(facts: Delivered, original: () => Promise<unknown>): Promise<unknown> {
    const second: Delivery = { ...facts, again: null, concurrent: undefined, once: false, lose: undefined };
    return this.#delivery.run(second, original);
  }

  /** The point is the answer: before = the code has decided, nothing is stored; after = stored, nothing was started. */
  async #orchestrate(facts: Delivered, original: () => Promise<unknown>): Promise<unknown> {
    const cell = await this.#cellOfRun(facts.runId);
    if (cell === undefined) return original();
    const ask = async (): Promise<{ value: unknown } | { error: unknown }> => {
      try {
        return { value: await original() };
      } catch (error) {
        return { error };
      }
    };
    let answer = await ask();
    const method = isLast(answer) ? 'end' : 'answer';
    for (const side of ['before', 'after'] as const) {
      const fault = this.#strikes(cell, `orchestrator.${method}.${side}`, facts);
      if (fault === undefined) continue;
      if (fault.kind === 'crash' && side === 'before') return this.#die(undefined);
      if (fault.kind === 'crash') this.#dieWhenStored(facts.runId);
      else answer = await ask();
    }
    if ('error' in answer) throw answer.error;
    return answer.value;
  }

  /** The host stores an answer in the turn of the event loop after the one that got it. */
  #dieWhenStored(runId: string | undefined): void {
    setImmediate(() => {
      if (runId !== undefined) this.#doomed.add(runId);
      setImmediate(() => void this.#die(undefined));
    });
  }

  async #at(cell: Cell, point: string, delivery: Delivery | undefined): Promise<void> {
    const fault = this.#strikes(cell, point, delivery);
    if (fault === undefined) return;
    const { part, side } = splitPoint(point);
    switch (fault.kind) {
      case 'crash':
        return this.#die(delivery);
      case 'exception':
        throw brokenCall(part);
      case 'duplicateDelivery':
        if (delivery === undefined) return;
        if (side === 'after') delivery.once = true;
        else delivery.concurrent = delivery.again?.();
        return;
      case 'lostAnswer':
        if (delivery !== undefined) delivery.lose = side;
    }
  }

  /**
   * Ends this process as the machine would: nothing is flushed, nobody is told.
   * @param where what the fault struck: the oracle knows what that may cost
   */
  #die(where: Delivery | undefined): Promise<never> {
    const atWork = [...this.#atWork].filter((one) => one !== where && one.nodeId !== null);
    this.#files.die(
      atWork.map(({ runId = '', nodeId, item }) => ({ runId, place: `${nodeId ?? ''}#${String(item ?? -1)}` })),
    );
    process.kill(process.pid, 'SIGKILL');
    return never();
  }

  #strikes(cell: Cell, point: string, where: Omit<Delivered, 'kind'> | undefined): Fault | undefined {
    const count = (cell.counts.get(point) ?? 0) + 1;
    cell.counts.set(point, count);
    this.#files.hit(cell.name, point);
    const { fault } = cell;
    if (fault === null || cell.spent || fault.point !== point || fault.occurrence !== count) return undefined;
    cell.spent = true;
    const { functionName = null, nodeId = null, item = null } = where ?? {};
    this.#files.fire({ cell: cell.name, ...fault, functionName, nodeId, item });
    return fault;
  }

  async #cellOfRun(runId: string | undefined): Promise<Cell | undefined> {
    if (runId === undefined) return undefined;
    if (this.#runs.has(runId)) return this.#runs.get(runId);
    const run = await this.#ledger?.getRun(runId);
    if (run === undefined) return undefined;
    const cell = this.#cell(run.idempotencyKey ?? '');
    this.#runs.set(runId, cell);
    return cell;
  }

  #cell(name: string): Cell | undefined {
    if (this.#cells.has(name)) return this.#cells.get(name);
    const found = this.#files.faultOf(name);
    const cell =
      found === undefined
        ? undefined
        : { name, fault: found.fault, counts: new Map<string, number>(), spent: this.#files.fired(name) !== undefined };
    this.#cells.set(name, cell);
    return cell;
  }
}
