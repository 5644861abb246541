/** Reading `WorkflowOperations`. */
import type { OperationRow } from '../port.ts';
import { parseOperation } from '../schemas.ts';
import type { Sql } from './database.ts';

const SELECT = `SELECT OperationKey AS operationKey, RunId AS runId, NodeId AS nodeId, Item AS item,
  PlanDigest AS planDigest, ArgsDigest AS argsDigest, Tool AS tool, State AS state, Attempt AS attempt,
  FencingToken AS fencingToken, OwnerUntil AS ownerUntil, ExternalJobId AS externalJobId, ResultUri AS resultUri,
  ResultDigest AS resultDigest, ErrorCode AS errorCode, ErrorClass AS errorClass, ErrorMessage AS errorMessage,
  Checks AS checks, CreatedAt AS createdAt, UpdatedAt AS updatedAt, RowVersion AS rowVersion FROM WorkflowOperations`;

export function getOperation(sql: Sql, operationKey: string): OperationRow | undefined {
  const row = sql.get(`${SELECT} WHERE OperationKey = ?`, operationKey);
  return row === undefined ? undefined : parseOperation(row);
}

export function operationsOf(sql: Sql, runId: string): OperationRow[] {
  return sql.all(`${SELECT} WHERE RunId = ? ORDER BY NodeId, Item`, runId).map(parseOperation);
}
