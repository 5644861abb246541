/** The embedded ledger: one SQLite file, or memory, behind the port (design §6). */
import { TERMINAL_STATUSES, type Ledger } from '../port.ts';
import { artifactsOf, artifactsOfRun, getArtifact } from './artifacts.ts';
import { append, events, verify } from './audit.ts';
import { openDatabase } from './database.ts';
import { decisionsOf, recordDecisions } from './decisions.ts';
import { grantsOf, setGrants } from './grants.ts';
import { listRuns } from './listRuns.ts';
import { migrate } from './migrate.ts';
import { getOperation, operationsOf } from './operations.ts';
import { getPlan, latestPlan, savePlan } from './plans.ts';
import { reserve } from './reserve.ts';
import { createRun, finishRun, getRun, moveRun, requireRun, setControl } from './runs.ts';
import { complete, fail, renew } from './settle.ts';
import { erasePerson, eraseTextsOfRun } from './texts.ts';
import { getUpload, saveUpload, uploadOfRun } from './uploads.ts';

/** What a data protection officer needs beside the port: texts go, the audit chain stays whole. */
export interface Erasure {
  /** Erases goal, request, plan and file names of one run; answers how many texts. */
  eraseTextsOfRun(runId: string, actor: string, now: number): Promise<number>;
  /** Erases every text and the name of a person; answers how many texts. */
  erasePerson(tenant: string, oid: string, now: number): Promise<number>;
}

/**
 * Opens the ledger at `path` (a file, or `:memory:`); call `migrate()` before anything else.
 * Several processes may open one file. Throws `StoreUnavailable` when it cannot be opened.
 */
export function openSqliteLedger(options: { readonly path: string }): Ledger & Erasure {
  const database = openDatabase(options.path);
  const { read, write } = database;
  return {
    migrate: () => migrate(database),
    ping: async () => {
      await read((sql) => sql.get('SELECT 1'));
    },
    close: () => {
      database.close();
      return Promise.resolve();
    },

    createRun: (run) => write((sql) => createRun(sql, run)),
    getRun: (runId) => read((sql) => getRun(sql, runId)),
    listRuns: (tenant, page) => read((sql) => listRuns(sql, tenant, page)),
    moveRun: (runId, from, to, patch) => write((sql) => moveRun(sql, runId, from, to, patch)),
    setControl: (runId, control, actor, now) => write((sql) => setControl(sql, runId, control, actor, now)),
    finishRun: (runId, end) => write((sql) => finishRun(sql, runId, end)),

    savePlan: (row) => write((sql) => savePlan(sql, row)),
    getPlan: (runId, revision) => read((sql) => getPlan(sql, runId, revision)),
    latestPlan: (runId) => read((sql) => latestPlan(sql, runId)),

    reserve: (request) => write((sql) => reserve(sql, request)),
    renew: (key, token, until) => write((sql) => renew(sql, key, token, until)),
    complete: (key, token, result) => write((sql) => complete(sql, key, token, result)),
    fail: (key, token, failure) => write((sql) => fail(sql, key, token, failure)),
    recordDecisions: (runId, _by, decisions, now) =>
      write((sql) => {
        const run = requireRun(sql, runId);
        if (!TERMINAL_STATUSES.has(run.status)) recordDecisions(sql, runId, decisions, now);
      }),

    getOperation: (key) => read((sql) => getOperation(sql, key)),
    project: (runId) =>
      read((sql) => {
        const run = getRun(sql, runId);
        if (run === undefined) return undefined;
        return {
          run,
          plan: latestPlan(sql, runId) ?? null,
          operations: operationsOf(sql, runId),
          decisions: decisionsOf(sql, runId),
          artifacts: artifactsOfRun(sql, runId),
        };
      }),
    artifactsOf: (runId, nodeId, item) => read((sql) => artifactsOf(sql, runId, nodeId, item)),
    getArtifact: (runId, artifactId) => read((sql) => getArtifact(sql, runId, artifactId)),

    saveUpload: (row) => write((sql) => saveUpload(sql, row)),
    getUpload: (tenant, owner, sha256) => read((sql) => getUpload(sql, tenant, owner, sha256)),
    uploadOfRun: (runId, sha256) => read((sql) => uploadOfRun(sql, runId, sha256)),

    events: (runId, after, limit) => read((sql) => events(sql, runId, after, limit)),
    appendEvent: (event) => write((sql) => append(sql, event)),
    verifyAudit: () => verify(database),

    grantsOf: (tenant, oid) => read((sql) => grantsOf(sql, tenant, oid)),
    setGrants: (tenant, oid, roles, actor, now) => write((sql) => setGrants(sql, tenant, oid, roles, actor, now)),

    eraseTextsOfRun: (runId, actor, now) => write((sql) => eraseTextsOfRun(sql, runId, actor, now)),
    erasePerson: (tenant, oid, now) => write((sql) => erasePerson(sql, tenant, oid, now)),
  };
}
