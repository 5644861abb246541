/** Ends of an attempt. Each is one conditional update on the fencing token: a late owner changes nothing (O-20). */
import type { Ledger, OperationRow } from '../port.ts';
import { canonicalText } from '../auditChain.ts';
import { insertArtifacts } from './artifacts.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { getOperation } from './operations.ts';
import { requireRun } from './runs.ts';

/** Where the result stands: the artifact rows of this address (design §6 `ResultUri`). */
const resultUri = (row: OperationRow): string => `artifacts/${row.runId}/${row.nodeId}/${row.item}`;

export function renew(sql: Sql, operationKey: string, fencingToken: number, ownerUntil: number): boolean {
  const changed = sql.run(
    `UPDATE WorkflowOperations SET OwnerUntil = MAX(OwnerUntil, ?), RowVersion = RowVersion + 1
     WHERE OperationKey = ? AND FencingToken = ? AND State IN ('reserved', 'submitted')`,
    ownerUntil,
    operationKey,
    fencingToken,
  );
  return changed === 1;
}

export function complete(
  sql: Sql,
  operationKey: string,
  fencingToken: number,
  result: Parameters<Ledger['complete']>[2],
): boolean {
  const row = getOperation(sql, operationKey);
  if (row?.fencingToken !== fencingToken) return false;
  // The answer of an earlier, equal call was lost: the commit stands.
  if (row.state === 'completed') return row.resultDigest === result.resultDigest;
  const changed = sql.run(
    `UPDATE WorkflowOperations SET State = 'completed', ResultUri = ?, ResultDigest = ?, Checks = ?, UpdatedAt = ?,
       RowVersion = RowVersion + 1
     WHERE OperationKey = ? AND FencingToken = ? AND State IN ('reserved', 'submitted')`,
    result.artifacts.length === 0 ? null : resultUri(row),
    result.resultDigest,
    canonicalText(result.checks),
    result.now,
    operationKey,
    fencingToken,
  );
  if (changed !== 1) return false;
  insertArtifacts(sql, row, requireRun(sql, row.runId).tenant, result.artifacts);
  append(sql, {
    runId: row.runId,
    at: result.now,
    type: 'operation.completed',
    nodeId: row.nodeId,
    actor: 'system',
    data: {
      operationKey,
      item: row.item,
      tool: row.tool,
      attempt: row.attempt,
      fencingToken,
      resultDigest: result.resultDigest,
      artifacts: result.artifacts.map(({ id, output, sha256, bytes }) => ({ id, output, sha256, bytes })),
      failedChecks: result.checks.filter((check) => !check.passed).map((check) => check.name),
    },
  });
  return true;
}

export function fail(
  sql: Sql,
  operationKey: string,
  fencingToken: number,
  failure: Parameters<Ledger['fail']>[2],
): boolean {
  const row = getOperation(sql, operationKey);
  if (row?.fencingToken !== fencingToken) return false;
  const { error, now } = failure;
  if (row.state === 'failed') return row.errorCode === error.code && row.errorClass === error.class;
  const changed = sql.run(
    `UPDATE WorkflowOperations SET State = ?, ErrorCode = ?, ErrorClass = ?, ErrorMessage = ?, Checks = ?,
       UpdatedAt = ?, RowVersion = RowVersion + 1
     WHERE OperationKey = ? AND FencingToken = ? AND State IN ('reserved', 'submitted')`,
    error.class === 'unknown' ? 'unknown' : 'failed',
    error.code,
    error.class,
    error.message.slice(0, 2_000),
    canonicalText(failure.checks),
    now,
    operationKey,
    fencingToken,
  );
  if (changed !== 1) return false;
  const { item, tool, attempt } = row;
  append(sql, {
    runId: row.runId,
    at: now,
    type: 'operation.failed',
    nodeId: row.nodeId,
    actor: 'system',
    data: { operationKey, item, tool, attempt, fencingToken, code: error.code, class: error.class },
  });
  return true;
}
