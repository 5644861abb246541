/** What the janitor asks for: rows that may disagree with the engine, owners that are gone, runs past their time. */
import { TERMINAL_STATUSES, type StaleRun } from '../port.ts';
import { parseEndedRun, parsePurgeable, parseStaleRun } from '../schemas.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { operationsWhere } from './operations.ts';
import { eraseTextsOfRun } from './texts.ts';

const TERMINAL_LIST = [...TERMINAL_STATUSES].map((status) => `'${status}'`).join(', ');
/** Time of the last event of a run: every change of it appends one. */
const LAST_EVENT = '(SELECT MAX(e.At) FROM AuditEvents AS e WHERE e.RunId = r.RunId)';

export function staleRuns(sql: Sql, before: number, limit: number): StaleRun[] {
  const query = `SELECT r.RunId AS runId, r.InstanceId AS instanceId, r.Status AS status, ${LAST_EVENT} AS updatedAt
    FROM Runs AS r WHERE r.Status NOT IN (${TERMINAL_LIST}) AND ${LAST_EVENT} < ?
    ORDER BY r.CreatedAt, r.RunId LIMIT ?`;
  return sql.all(query, before, limit).map(parseStaleRun);
}

export function endedRunsWithInstances(sql: Sql, limit: number): { runId: string; instanceId: string }[] {
  const query = `SELECT r.RunId AS runId, r.InstanceId AS instanceId FROM Runs AS r
    WHERE r.Status IN (${TERMINAL_LIST}) AND r.PurgedAt IS NULL
      AND EXISTS (SELECT 1 FROM Instances AS i WHERE i.RunId = r.RunId AND i.State <> 'ended')
    ORDER BY r.EndedAt, r.RunId LIMIT ?`;
  return sql.all(query, limit).map(parseEndedRun);
}

/** Nobody works on these any more, and nobody will: what they did outside is not known. */
export function expireOwners(sql: Sql, now: number, limit: number): number {
  const rows = operationsWhere(
    sql,
    `State IN ('reserved', 'submitted', 'adopted', 'resubmitted') AND OwnerUntil < ?
       AND RunId IN (SELECT RunId FROM Runs WHERE Status IN (${TERMINAL_LIST}))
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
    WHERE Status IN (${TERMINAL_LIST}) AND PurgedAt IS NULL AND EndedAt < ? ORDER BY EndedAt, RunId LIMIT ?`;
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
     WHERE RunId = ? AND PurgedAt IS NULL AND Status IN (${TERMINAL_LIST})`,
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
