/** Reading `WorkflowOperations`. */
import type { OperationRow } from '../port.ts';
import { parseOperation } from '../schemas.ts';
import type { Sql, SqlValue } from './database.ts';

export const OPERATION_SELECT = `SELECT OperationKey AS operationKey, RunId AS runId, NodeId AS nodeId, Item AS item,
  PlanDigest AS planDigest, ArgsDigest AS argsDigest, Tool AS tool, State AS state, Attempt AS attempt,
  FencingToken AS fencingToken, OwnerUntil AS ownerUntil, ExternalJobId AS externalJobId, ResultUri AS resultUri,
  ResultDigest AS resultDigest, ErrorCode AS errorCode, ErrorClass AS errorClass, ErrorMessage AS errorMessage,
  Checks AS checks, CreatedAt AS createdAt, UpdatedAt AS updatedAt, RowVersion AS rowVersion FROM WorkflowOperations`;

export function getOperation(sql: Sql, operationKey: string): OperationRow | undefined {
  const row = sql.get(`${OPERATION_SELECT} WHERE OperationKey = ?`, operationKey);
  return row === undefined ? undefined : parseOperation(row);
}

/** Operations of whole nodes. */
export function operationsOf(sql: Sql, runId: string): OperationRow[] {
  return operationsWhere(sql, 'RunId = ? AND Item = -1 ORDER BY NodeId', runId);
}

/** @param where condition and order, written by us; values only as parameters */
export function operationsWhere(sql: Sql, where: string, ...values: readonly SqlValue[]): OperationRow[] {
  return sql.all(`${OPERATION_SELECT} WHERE ${where}`, ...values).map(parseOperation);
}
