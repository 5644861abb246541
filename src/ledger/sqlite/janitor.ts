/** What the janitor asks for: rows that may disagree with the engine, owners that are gone, runs past their time. */
import type { EndedRun, StaleRun } from '../port.ts';
import { parseEndedRun, parsePurgeable, parseStaleRun } from '../schemas.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { operationsWhere } from './operations.ts';
import { OPEN } from './settle.ts';
import { eraseTextsOfRun } from './texts.ts';

/** `EndedAt` is written with the terminal status, in one statement, and never before. */
const ENDED = 'EndedAt IS NOT NULL';
/** Time of the last event of a run: every change of it appends one. */
const LAST_EVENT = '(SELECT e.At FROM AuditEvents AS e WHERE e.RunId = r.RunId ORDER BY e.Seq DESC LIMIT 1)';

/** In order of acceptance, those after the run `after`: live runs may wait for weeks, so that pages have to move on. */
export function staleRuns(sql: Sql, before: number, limit: number, after: string | null): StaleRun[] {
  const query = `SELECT r.RunId AS runId, r.InstanceId AS instanceId, r.Status AS status, ${LAST_EVENT} AS updatedAt
    FROM Runs AS r LEFT JOIN Runs AS a ON a.RunId = ?
    WHERE r.EndedAt IS NULL AND ${LAST_EVENT} < ?
      AND (a.RunId IS NULL OR r.CreatedAt > a.CreatedAt OR (r.CreatedAt = a.CreatedAt AND r.RunId > a.RunId))
    ORDER BY r.CreatedAt, r.RunId LIMIT ?`;
  return sql.all(query, after, before, limit).map(parseStaleRun);
}

export function runsEndedBetween(sql: Sql, from: number, to: number, limit: number): EndedRun[] {
  const query = `SELECT RunId AS runId, InstanceId AS instanceId, EndedAt AS endedAt FROM Runs
    WHERE EndedAt >= ? AND EndedAt < ? AND PurgedAt IS NULL ORDER BY EndedAt, RunId LIMIT ?`;
  return sql.all(query, from, to, limit).map(parseEndedRun);
}

export function endedRunsWithInstances(sql: Sql, limit: number): EndedRun[] {
  const query = `SELECT r.RunId AS runId, r.InstanceId AS instanceId, r.EndedAt AS endedAt FROM Runs AS r
    WHERE r.${ENDED}
      AND r.RunId IN (SELECT i.RunId FROM Instances AS i WHERE i.EndedAt IS NULL)
    ORDER BY r.EndedAt, r.RunId LIMIT ?`;
  return sql.all(query, limit).map(parseEndedRun);
}

/**
 * Nobody works on these any more, and nobody will: what they did outside is not known. A remote job that still has its
 * child is left to that: it asks the job to stop.
 */
export function expireOwners(sql: Sql, now: number, limit: number): number {
  const rows = operationsWhere(
    sql,
    `State IN (${OPEN}) AND OwnerUntil < ?
       AND EXISTS (SELECT 1 FROM Runs AS r WHERE r.RunId = WorkflowOperations.RunId AND r.${ENDED})
       AND NOT EXISTS (SELECT 1 FROM Instances AS i WHERE i.RunId = WorkflowOperations.RunId AND i.EndedAt IS NULL
                         AND i.Kind = 'job' AND i.NodeId = WorkflowOperations.NodeId AND i.Item = WorkflowOperations.Item)
     ORDER BY OwnerUntil LIMIT ?`,
    now,
    limit,
  );
  for (const row of rows) {
    sql.run(
      `UPDATE WorkflowOperations SET State = 'unknown', ErrorCode = 'STATE_INVALID', ErrorClass = 'unknown',
         ErrorMessage = 'The run ended while this was at work.', UpdatedAt = ?, RowVersion = RowVersion + 1
       WHERE OperationKey = ? AND RowVersion = ?`,
      now,
      row.operationKey,
      row.rowVersion,
    );
    const { operationKey, item, tool, attempt } = row;
    append(sql, {
      runId: row.runId,
      at: now,
      type: 'operation.expired',
      nodeId: row.nodeId,
      actor: 'janitor',
      data: { operationKey, item, tool, attempt, from: row.state },
    });
  }
  return rows.length;
}

export function purgeable(sql: Sql, before: number, limit: number): { runId: string; tenant: string }[] {
  const query = `SELECT RunId AS runId, Tenant AS tenant FROM Runs
    WHERE PurgedAt IS NULL AND EndedAt < ? ORDER BY EndedAt, RunId LIMIT ?`;
  return sql.all(query, before, limit).map(parsePurgeable);
}

/** In the order in which the tables refer to each other. */
const PURGED = [
  'Artifacts',
  'WorkflowOperations',
  'Decisions',
  'Instances',
  'Expansions',
  'RunUploads',
  'Plans',
] as const;

export function purgeRun(sql: Sql, runId: string, now: number): boolean {
  const changed = sql.run(
    `UPDATE Runs SET PurgedAt = ?, RowVersion = RowVersion + 1
     WHERE RunId = ? AND PurgedAt IS NULL AND ${ENDED}`,
    now,
    runId,
  );
  if (changed !== 1) return false;
  const removed = Object.fromEntries(
    PURGED.map((table) => [table, sql.run(`DELETE FROM ${table} WHERE RunId = ?`, runId)]),
  );
  eraseTextsOfRun(sql, runId, 'janitor', now);
  append(sql, { runId, at: now, type: 'run.purged', nodeId: null, actor: 'janitor', data: { removed } });
  return true;
}
