/** The embedded ledger: one SQLite file, or memory, behind the port (design §6). */
import type { Ledger } from '../port.ts';
import { artifactsOf, artifactsOfRun, blobNamesOf, getArtifact } from './artifacts.ts';
import { append, events, verify } from './audit.ts';
import { openDatabase } from './database.ts';
import { decisionsOf } from './decisions.ts';
import { expansionsOf, getExpansion, saveExpansion } from './expansions.ts';
import { grantsOf, setGrants } from './grants.ts';
import { getInstance, instancesOf, moveInstance, openInstances, planInstance } from './instances.ts';
import { itemArtifacts, itemCounts, itemOperations } from './items.ts';
import { endedRunsWithInstances, expireOwners, purgeable, purgeRun, runsEndedBetween, staleRuns } from './janitor.ts';
import { listRuns } from './listRuns.ts';
import { migrate } from './migrate.ts';
import { getOperation, operationsOf } from './operations.ts';
import { getPlan, latestPlan, savePlan } from './plans.ts';
import { recordOpenDecisions } from './openDecisions.ts';
import { reserve } from './reserve.ts';
import { createRun, finishRun, getRun, moveRun, setControl, setHeld, stopRun } from './runs.ts';
import { complete, fail, follow, release, renew, submitted } from './settle.ts';
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
    setHeld: (runId, held, now) => write((sql) => setHeld(sql, runId, held, now)),
    stopRun: (runId, stop) => write((sql) => stopRun(sql, runId, stop)),
    finishRun: (runId, end) => write((sql) => finishRun(sql, runId, end)),

    savePlan: (row) => write((sql) => savePlan(sql, row)),
    getPlan: (runId, revision) => read((sql) => getPlan(sql, runId, revision)),
    latestPlan: (runId) => read((sql) => latestPlan(sql, runId)),

    reserve: (request) => write((sql) => reserve(sql, request)),
    renew: (key, token, until) => write((sql) => renew(sql, key, token, until)),
    submitted: (key, token, externalJobId, now) => write((sql) => submitted(sql, key, token, externalJobId, now)),
    follow: (key, now, ownerMs) => write((sql) => follow(sql, key, now, ownerMs)),
    release: (key, token, now) => write((sql) => release(sql, key, token, now)),
    complete: (key, token, result) => write((sql) => complete(sql, key, token, result)),
    fail: (key, token, failure) => write((sql) => fail(sql, key, token, failure)),
    recordDecisions: (runId, by, decisions, now) => write((sql) => recordOpenDecisions(sql, runId, by, decisions, now)),

    saveExpansion: (row, lanes, by, decisions) => write((sql) => saveExpansion(sql, row, lanes, by, decisions)),
    getExpansion: (runId, revision, nodeId) => read((sql) => getExpansion(sql, runId, revision, nodeId)),
    planInstance: (instance, now) => write((sql) => planInstance(sql, instance, now)),
    getInstance: (instanceId) => read((sql) => getInstance(sql, instanceId)),
    moveInstance: (instanceId, to, now) => write((sql) => moveInstance(sql, instanceId, to, now)),
    openInstances: (runId, limit) => read((sql) => openInstances(sql, runId, limit)),
    itemArtifacts: (runId, nodeId) => read((sql) => itemArtifacts(sql, runId, nodeId)),
    itemOperations: (runId, nodeId, page) => read((sql) => itemOperations(sql, runId, nodeId, page)),

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
          expansions: expansionsOf(sql, runId),
          items: itemCounts(sql, runId),
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

    staleRuns: (before, limit, after) => read((sql) => staleRuns(sql, before, limit, after ?? null)),
    runsEndedBetween: (from, to, limit) => read((sql) => runsEndedBetween(sql, from, to, limit)),
    endedRunsWithInstances: (limit) => read((sql) => endedRunsWithInstances(sql, limit)),
    expireOwners: (now, limit) => write((sql) => expireOwners(sql, now, limit)),
    purgeable: (before, limit) => read((sql) => purgeable(sql, before, limit)),
    purgeRun: (runId, now) => write((sql) => purgeRun(sql, runId, now)),
    instancesOf: (runId) => read((sql) => instancesOf(sql, runId)),
    blobNamesOf: (runId) => read((sql) => blobNamesOf(sql, runId)),

    grantsOf: (tenant, oid) => read((sql) => grantsOf(sql, tenant, oid)),
    setGrants: (tenant, oid, roles, actor, now) => write((sql) => setGrants(sql, tenant, oid, roles, actor, now)),

    eraseTextsOfRun: (runId, actor, now) => write((sql) => eraseTextsOfRun(sql, runId, actor, now)),
    erasePerson: (tenant, oid, now) => write((sql) => erasePerson(sql, tenant, oid, now)),
  };
}
