/**
 * The janitor: makes ledger and engine agree again after crashes and after what operators did behind the product's back
 * (O-07, O-14), and removes what has outlived its retention. Everything it changes is an audit event with actor
 * `janitor`. A pass is bounded, each of its steps is conditional, and a failure concerns one run only: passes may be
 * repeated, cut off, or run twice at once.
 */
import type { ResultError } from '../orchestration/messages.ts';
import { inBatches } from './inBatches.ts';
import { closeChildren, closeOwn } from './janitorChildren.ts';
import { purgeOld } from './janitorPurge.ts';
import { PATIENCE_MS, QUIET_MS } from './janitorRules.ts';
import { reconcileRun } from './janitorRuns.ts';
import type { OperatorEngine } from './operatorEngine.ts';
import type { Services } from './services.ts';

export interface JanitorWorld {
  readonly services: Services;
  readonly engine: OperatorEngine;
  /** Ends a run from the ledger (`finish1`); the error is recorded for people. */
  readonly finish: (runId: string, error: ResultError) => Promise<unknown>;
  /** Terminal runs older than this are purged, days. */
  readonly retentionDays: number;
}

/** What one pass did. */
export interface JanitorReport {
  /** Missing instances started. */
  readonly started: number;
  /** Runs ended from the ledger because their instance was gone. */
  readonly ended: number;
  /** Rows of children closed. */
  readonly closed: number;
  /** Instances terminated because their run has long ended. */
  readonly terminated: number;
  /** Operations whose owner is gone, now `unknown`. */
  readonly expired: number;
  readonly purged: number;
  /** What could not be dealt with this time; the next pass tries again. */
  readonly failed: number;
}
export type JanitorCount = { -readonly [Name in keyof JanitorReport]: number };

/** One pass: what its steps share. `now` stands still during a pass, ms since the epoch. */
export interface JanitorPass extends JanitorWorld {
  readonly now: number;
  readonly count: JanitorCount;
}

/** A pass stops taking up new work after this, well before the host's time limit, ms. */
const LONGEST_MS = 4 * 60_000;
/** An ended run's own instance is looked at for so long after the janitor's patience has ended, ms. */
const WATCHED_MS = 60 * 60_000;
const BATCH = 200;
const AT_ONCE = 16;
/** Purging is slow (histories, bytes): a pass takes some and leaves the rest to the next. */
const PURGED_A_PASS = 20;
const DAY_MS = 86_400_000;

export async function janitorPass(world: JanitorWorld): Promise<JanitorReport> {
  const { services } = world;
  const { ledger } = services;
  const now = services.now();
  const late = (): boolean => services.now() - now > LONGEST_MS;
  const count = { started: 0, ended: 0, closed: 0, terminated: 0, expired: 0, purged: 0, failed: 0 };
  const pass: JanitorPass = { ...world, now, count };

  const guarded = async (about: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      count.failed += 1;
      services.log.janitorFailed({ about, message: error instanceof Error ? error.message : String(error) });
    }
  };
  const each = async <T extends { readonly runId: string }>(
    runs: readonly T[],
    work: (pass: JanitorPass, run: T) => Promise<unknown>,
  ): Promise<void> =>
    inBatches(runs, AT_ONCE, (run) => (late() ? Promise.resolve() : guarded(run.runId, () => work(pass, run))));

  await guarded('runs', async () => {
    let after: string | undefined;
    do {
      const page = await ledger.staleRuns(now - QUIET_MS, BATCH, after);
      await each(page, reconcileRun);
      after = page.at(-1)?.runId;
    } while (after !== undefined && !late());
  });
  await guarded('children', async () => each(await ledger.endedRunsWithInstances(BATCH), closeChildren));
  await guarded('instances', async () => {
    const patienceEnded = now - PATIENCE_MS;
    await each(await ledger.runsEndedBetween(patienceEnded - WATCHED_MS, patienceEnded, BATCH), closeOwn);
  });
  await guarded('owners', async () => {
    count.expired += await ledger.expireOwners(now, BATCH);
  });
  await guarded('purge', async () => {
    for (const run of await ledger.purgeable(now - world.retentionDays * DAY_MS, PURGED_A_PASS)) {
      if (late()) return;
      await guarded(run.runId, () => purgeOld(pass, run));
    }
  });
  return count;
}
