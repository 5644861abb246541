/** One host with fault points, restarted whenever a cell has killed it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { startTestHost } from '../hosts/start.ts';
import type { HostName, TestHost } from '../hosts/types.ts';
import { journalLines } from '../testApp/index.ts';
import { CellFiles } from './cellFiles.ts';
import { judgeEnd, type End } from './oracle.ts';
import { kills, type Fault } from './points.ts';
import { effectsOf, readHostStore, readLedger, readRunRow } from './readEnd.ts';
import type { Scenario, User } from './scenarios.ts';

const APP = join(import.meta.dirname, 'app.ts');
const POLL_MS = 40;
const RECORD_LIMIT_MS = 60_000;
const CELL_LIMIT_MS = { embedded: 90_000, engine: 400_000 };
const MOST_FAILED_STARTS = 40;
/** Longer than the owner lease of an operation: after a crash nobody is waited for who is not there any more. */
const AFTER_CRASH_MS = 15_000;

export interface CellResult {
  readonly scenario: string;
  readonly fault: Fault | null;
  /** Empty = as the oracle says. */
  readonly problems: readonly string[];
  readonly end: End | undefined;
  /** The run never came by the point, and others may be the reason. */
  readonly missed: boolean;
  readonly ms: number;
}

let made = 0;

export class Bench {
  readonly #host: TestHost;
  readonly #folder: string;
  readonly #files: CellFiles;
  #together = false;
  #keeper: Promise<void> | undefined;
  #stopping = false;
  /** Why the host could not be started again. */
  #broken: Error | undefined;

  private constructor(host: TestHost, folder: string) {
    this.#host = host;
    this.#folder = folder;
    this.#files = new CellFiles(folder);
  }

  static async start(name: HostName = 'embedded'): Promise<Bench> {
    const folder = mkdtempSync(join(tmpdir(), 'geoagent-faults-'));
    const host = await startTestHost(name, {
      entryFiles: [APP],
      ...(name === 'embedded' ? { clock: true } : {}),
      env: {
        FAULTS_FOLDER: folder,
        TEST_JOURNAL: join(folder, 'journal.jsonl'),
        NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/node-compile'),
      },
    });
    const bench = new Bench(host, folder);
    bench.#keeper = bench.#keep().catch((error: unknown) => {
      bench.#broken = error instanceof Error ? error : new Error(String(error));
    });
    return bench;
  }

  /** Points that a fault-free run of this scenario comes by, with how often, and its end. */
  async record(scenario: Scenario): Promise<{ readonly points: ReadonlyMap<string, number>; readonly end: End }> {
    const cell = this.#name(scenario);
    const result = await this.#run(cell, scenario, null, undefined);
    if (result.end === undefined) throw new Error(`${scenario.name}: ${result.problems.join('; ')}`);
    return { points: this.#files.hits(cell), end: result.end };
  }

  cell(scenario: Scenario, fault: Fault, want: End): Promise<CellResult> {
    return this.#run(this.#name(scenario), scenario, fault, want);
  }

  /**
   * Cells side by side on a process that each of them kills: what a crash may cost, each of them may have to pay. Where
   * another's crash led a run past its own point, that cell is run once more.
   */
  async cellsTogether(scenario: Scenario, faults: readonly Fault[], want: End): Promise<CellResult[]> {
    this.#together = true;
    const results = await Promise.all(faults.map((fault) => this.cell(scenario, fault, want)));
    const missed = results.flatMap(({ fault, missed: past }) => (past && fault !== null ? [fault] : []));
    if (missed.length === 0) return results;
    if (missed.length === faults.length) throw new Error('no run came by its point');
    return [...results.filter((result) => !result.missed), ...(await this.cellsTogether(scenario, missed, want))];
  }

  /** Whole audit log; empty = no link is broken. */
  async auditProblems(): Promise<string[]> {
    const ledger = openSqliteLedger({ path: this.#ledgerPath });
    const { ok, brokenAt } = await ledger.verifyAudit();
    await ledger.close();
    return ok ? [] : [`the audit chain is broken at ${String(brokenAt)}`];
  }

  log(): string {
    return this.#host.log();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#host.stop();
    await this.#keeper;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Starts what has killed itself. Whoever needs the host in between asks again until it answers. */
  async #keep(): Promise<void> {
    let failures = 0;
    for (;;) {
      await this.#host.runnerGone();
      // A stop ends the process too.
      if (this.#stopping) return;
      try {
        await this.#host.restart();
        if (this.#host.name === 'embedded') await this.#host.advance(AFTER_CRASH_MS);
      } catch (error) {
        // What is delivered again at once may kill it again before it says that it is ready.
        failures += 1;
        if (failures > MOST_FAILED_STARTS) throw error;
      }
    }
  }

  get #ledgerPath(): string {
    return join(this.#host.stateDirectory, 'ledger.sqlite');
  }

  #name(scenario: Scenario): string {
    made += 1;
    return `${scenario.name}-${String(made)}`;
  }

  async #run(cell: string, scenario: Scenario, fault: Fault | null, want: End | undefined): Promise<CellResult> {
    const began = performance.now();
    this.#files.arm(cell, fault);
    const until = Date.now() + (fault === null ? RECORD_LIMIT_MS : CELL_LIMIT_MS[this.#host.name]);
    const base = { scenario: scenario.name, fault };
    let runId = 'not accepted';
    try {
      runId = await this.#start(cell, scenario, fault, until);
      await scenario.act?.(this.#user(cell, runId, fault, until));
      await this.#settled(cell, fault, runId, until);
      const end = await this.#end(runId, until);
      const fired = this.#files.fired(cell);
      const context = {
        fault,
        fired,
        cut: scenario.cut ?? [],
        timed: scenario.timed ?? [],
        atWork: this.#files.atWork(runId),
      };
      const problems = want === undefined ? [] : judgeEnd(want, end, context);
      const missed = this.#together && fault !== null && fired === undefined;
      return { ...base, problems: missed ? problems.slice(1) : problems, end, missed, ms: performance.now() - began };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return {
        ...base,
        problems: [`run ${runId}: ${text}`],
        end: undefined,
        missed: false,
        ms: performance.now() - began,
      };
    }
  }

  async #start(cell: string, scenario: Scenario, fault: Fault | null, until: number): Promise<string> {
    const body = JSON.stringify({ plan: scenario.plan });
    const answers = await this.#send(cell, fault, until, 'runs', body);
    const [first] = answers;
    if (first?.status !== 202) throw new Error(`start: ${String(first?.status)} ${first?.text ?? ''}`);
    return (JSON.parse(first.text) as { runId: string }).runId;
  }

  #user(cell: string, runId: string, fault: Fault | null, until: number): User {
    const wait = async (what: string, there: () => boolean): Promise<void> => {
      while (!there()) {
        if (readRunRow(this.#ledgerPath, runId)?.terminal === true) return;
        await this.#breathe(until, what);
      }
    };
    return {
      post: async (path) => (await this.#send(cell, fault, until, `runs/${runId}/${path}`, ''))[0]?.status ?? 0,
      noted: (what, nodeId) =>
        wait(`${what} of ${nodeId}`, () =>
          journalLines(join(this.#folder, 'journal.jsonl')).some(
            (line) => line.runId === runId && line.what === what && line.nodeId === nodeId,
          ),
        ),
      row: (predicate) =>
        wait('the row', () => {
          const row = readRunRow(this.#ledgerPath, runId);
          return row !== undefined && predicate(row);
        }),
    };
  }

  /** As a careful client: the same request under the same key until it is answered; twice at once where that is the fault. */
  async #send(
    cell: string,
    fault: Fault | null,
    until: number,
    path: string,
    body: string,
  ): Promise<{ status: number; text: string }[]> {
    const one = async (): Promise<{ status: number; text: string }> => {
      for (;;) {
        const init = { method: 'POST', body, headers: { 'content-type': 'application/json', 'idempotency-key': cell } };
        const answer = await fetch(`${this.#host.baseUrl}/api/${path}`, init)
          .then(async (response) => ({ status: response.status, text: await response.text() }))
          .catch(() => undefined);
        if (answer !== undefined && answer.status < 500) return answer;
        await this.#breathe(until, `an answer to ${path} (${answer?.text ?? 'none'})`);
      }
    };
    return Promise.all(fault?.kind === 'duplicateDelivery' ? [one(), one()] : [one()]);
  }

  async #settled(cell: string, fault: Fault | null, runId: string, until: number): Promise<void> {
    while (readRunRow(this.#ledgerPath, runId)?.terminal !== true) {
      const row = readRunRow(this.#ledgerPath, runId);
      await this.#breathe(until, `the end (${row?.status ?? 'no row'})`);
    }
    // The fault may lie behind the end: in the answer of finish, or in that of the orchestrator.
    if (fault === null || !kills(fault)) return;
    for (let i = 0; i < 25 && this.#files.fired(cell) === undefined; i += 1) await delay(POLL_MS);
  }

  /** The end is the ledger's and the engine's: messages on their way when the row ended are waited for, within reason. */
  async #end(runId: string, until: number): Promise<End> {
    const giveUp = Math.min(until, Date.now() + 20_000);
    for (;;) {
      const engine = await this.#engineState(runId);
      if ((engine.runningInstances === 0 && engine.leftMessages === 0) || Date.now() > giveUp) {
        const { keys, ...ledger } = readLedger(this.#ledgerPath, runId);
        const effects = effectsOf(journalLines(join(this.#folder, 'journal.jsonl')), runId, keys);
        return { ...ledger, effects, ...engine };
      }
      await delay(POLL_MS);
    }
  }

  /** Of the real engine the queues can't be seen: its instances must have ended. */
  async #engineState(runId: string): Promise<{ runningInstances: number; leftMessages: number }> {
    if (this.#host.name === 'engine') {
      const path = `instances?instanceIdPrefix=${runId}&runtimeStatus=Running,Pending,Suspended,ContinuedAsNew`;
      const answer = await this.#host.client.send('GET', path).catch(() => undefined);
      const open = answer?.status === 200 ? (JSON.parse(answer.text) as unknown[]) : [null];
      return { runningInstances: open.length, leftMessages: 0 };
    }
    const folder = join(this.#host.stateDirectory, 'host');
    const hub = readdirSync(folder)[0];
    return readHostStore(join(folder, hub ?? '', 'host.db'), runId);
  }

  async #breathe(until: number, what: string): Promise<void> {
    if (this.#broken !== undefined) throw new Error(`the host could not be started again: ${this.#broken.message}`);
    if (Date.now() > until) throw new Error(`waited in vain for ${what}`);
    await delay(POLL_MS);
  }
}
