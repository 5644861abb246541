/** Ends of an attempt. Each is one conditional update on the fencing token: a late owner changes nothing (O-20). */
import { OPERATION_STATES, StateInvalid, type FollowOutcome, type Ledger, type OperationRow } from '../port.ts';
import { outcomeOf } from '../outcome.ts';
import { canonicalText } from '../auditChain.ts';
import { artifactsOf, insertArtifacts } from './artifacts.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { getOperation } from './operations.ts';
import { requireRun } from './runs.ts';

/** States of an operation that is not settled, as SQL lists them: those that `outcomeOf` calls open. */
export const OPEN = OPERATION_STATES.filter((state) => outcomeOf(state) === 'open')
  .map((state) => `'${state}'`)
  .join(', ');

/** Where the result stands: the artifact rows of this address (design §6 `ResultUri`). */
const resultUri = (row: OperationRow): string => `artifacts/${row.runId}/${row.nodeId}/${row.item}`;

/** The audit event of a step of an attempt: which attempt of what, and what is particular to the step. */
function tell(
  sql: Sql,
  row: OperationRow,
  type: string,
  at: number,
  particular: Readonly<Record<string, unknown>>,
): void {
  const { operationKey, runId, nodeId, item, tool, attempt, fencingToken } = row;
  const data = { operationKey, item, tool, attempt, fencingToken, ...particular };
  append(sql, { runId, at, type, nodeId, actor: 'system', data });
}

export function renew(sql: Sql, operationKey: string, fencingToken: number, ownerUntil: number): boolean {
  const changed = sql.run(
    `UPDATE WorkflowOperations SET OwnerUntil = MAX(OwnerUntil, ?), RowVersion = RowVersion + 1
     WHERE OperationKey = ? AND FencingToken = ? AND State IN (${OPEN})`,
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
     WHERE OperationKey = ? AND FencingToken = ? AND State IN (${OPEN})`,
    result.artifacts.length === 0 ? null : resultUri(row),
    result.resultDigest,
    canonicalText(result.checks),
    result.now,
    operationKey,
    fencingToken,
  );
  if (changed !== 1) return false;
  insertArtifacts(sql, row, requireRun(sql, row.runId).tenant, result.artifacts);
  tell(sql, row, 'operation.completed', result.now, {
    resultDigest: result.resultDigest,
    artifacts: result.artifacts.map(({ id, output, sha256, bytes }) => ({ id, output, sha256, bytes })),
    failedChecks: result.checks.filter((check) => !check.passed).map((check) => check.name),
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
     WHERE OperationKey = ? AND FencingToken = ? AND State IN (${OPEN})`,
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
  tell(sql, row, 'operation.failed', now, { code: error.code, class: error.class });
  return true;
}

export function submitted(
  sql: Sql,
  operationKey: string,
  fencingToken: number,
  externalJobId: string,
  now: number,
): boolean {
  const row = getOperation(sql, operationKey);
  if (row?.fencingToken !== fencingToken) return false;
  // The answer of an earlier, equal call was lost.
  if (row.state === 'submitted') return row.externalJobId === externalJobId;
  const changed = sql.run(
    `UPDATE WorkflowOperations SET State = 'submitted', ExternalJobId = ?, UpdatedAt = ?, RowVersion = RowVersion + 1
     WHERE OperationKey = ? AND FencingToken = ? AND State = 'reserved'`,
    externalJobId,
    now,
    operationKey,
    fencingToken,
  );
  if (changed !== 1) return false;
  tell(sql, row, 'operation.submitted', now, { externalJobId });
  return true;
}

/** Takes over an open row whose owner is gone; one with a live owner is `busy`. */
export function follow(sql: Sql, operationKey: string, now: number, ownerMs: number): FollowOutcome {
  const row = getOperation(sql, operationKey);
  if (row === undefined) throw new StateInvalid(`Operation ${operationKey} is not in the ledger.`);
  if (outcomeOf(row.state) !== 'open') {
    return { outcome: 'settled', row, artifacts: artifactsOf(sql, row.runId, row.nodeId, row.item) };
  }
  if (row.ownerUntil > now) return { outcome: 'busy', ownerUntil: row.ownerUntil };
  const fencingToken = row.fencingToken + 1;
  const changed = sql.run(
    `UPDATE WorkflowOperations SET FencingToken = ?, OwnerUntil = ?, RowVersion = RowVersion + 1
     WHERE OperationKey = ? AND RowVersion = ?`,
    fencingToken,
    now + ownerMs,
    operationKey,
    row.rowVersion,
  );
  if (changed !== 1) throw new StateInvalid(`Operation ${operationKey} changed inside a transaction.`);
  return { outcome: 'owned', fencingToken, row: { ...row, fencingToken, ownerUntil: now + ownerMs } };
}

/** Gives the row back at once, so that the next round of its follower need not wait for the lease. */
export function release(sql: Sql, operationKey: string, fencingToken: number, now: number): boolean {
  const changed = sql.run(
    `UPDATE WorkflowOperations SET OwnerUntil = ?, RowVersion = RowVersion + 1
     WHERE OperationKey = ? AND FencingToken = ? AND State IN (${OPEN})`,
    now,
    operationKey,
    fencingToken,
  );
  return changed === 1;
}
