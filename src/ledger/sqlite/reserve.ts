/** Intent before deed (I5): the one place where an operation becomes ours. */
import {
  StateInvalid,
  TERMINAL_STATUSES,
  type OperationRow,
  type ReserveOutcome,
  type ReserveRequest,
} from '../port.ts';
import { judge } from '../judge.ts';
import { artifactsOf } from './artifacts.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { recordDecisions } from './decisions.ts';
import { getOperation } from './operations.ts';
import { requireRun } from './runs.ts';

export function reserve(sql: Sql, request: ReserveRequest): ReserveOutcome {
  const run = requireRun(sql, request.runId);
  // A terminal run takes no more decisions: its status has been computed from those it had.
  if (!TERMINAL_STATUSES.has(run.status)) recordDecisions(sql, run.runId, request.decisions, request.now);
  const row = getOperation(sql, request.operationKey);
  const verdict = judge(request, run, row);
  switch (verdict.do) {
    case 'insert':
      insert(sql, request);
      audit(sql, request, 1, 'first');
      return { outcome: 'reserved', fencingToken: 1 };
    case 'take': {
      const fencingToken = take(sql, request, existing(row), verdict.attempt);
      audit(sql, request, fencingToken, verdict.reopened ? 'retry' : 'takeover');
      return { outcome: 'reserved', fencingToken };
    }
    case 'wait':
      return { outcome: 'busy', ownerUntil: verdict.ownerUntil };
    case 'answer':
      break;
  }
  switch (verdict.outcome) {
    case 'completed':
      return {
        outcome: 'completed',
        row: existing(row),
        artifacts: artifactsOf(sql, request.runId, request.nodeId, request.item),
      };
    case 'stopped':
      return { outcome: 'stopped', control: run.control, status: run.status };
    case 'failed':
    case 'conflict':
      return { outcome: verdict.outcome, row: existing(row) };
  }
}

function existing(row: OperationRow | undefined): OperationRow {
  if (row === undefined) throw new StateInvalid('A verdict about a missing operation row.');
  return row;
}

function insert(sql: Sql, request: ReserveRequest): void {
  sql.run(
    `INSERT INTO WorkflowOperations (OperationKey, RunId, NodeId, Item, PlanDigest, ArgsDigest, Tool, Effect, State,
       Attempt, FencingToken, OwnerUntil, Checks, CreatedAt, UpdatedAt, RowVersion)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'reserved', ?, 1, ?, '[]', ?, ?, 1)`,
    request.operationKey,
    request.runId,
    request.nodeId,
    request.item,
    request.planDigest,
    request.argsDigest,
    request.tool,
    request.effect,
    request.attempt,
    request.now + request.ownerMs,
    request.now,
    request.now,
  );
}

function take(sql: Sql, request: ReserveRequest, row: OperationRow, attempt: number): number {
  const fencingToken = row.fencingToken + 1;
  const changed = sql.run(
    `UPDATE WorkflowOperations SET State = 'reserved', Attempt = ?, FencingToken = ?, OwnerUntil = ?,
       ErrorCode = NULL, ErrorClass = NULL, ErrorMessage = NULL, Checks = '[]', UpdatedAt = ?,
       RowVersion = RowVersion + 1
     WHERE OperationKey = ? AND RowVersion = ?`,
    attempt,
    fencingToken,
    request.now + request.ownerMs,
    request.now,
    request.operationKey,
    row.rowVersion,
  );
  if (changed !== 1) throw new StateInvalid(`Operation ${request.operationKey} changed inside a transaction.`);
  return fencingToken;
}

function audit(sql: Sql, request: ReserveRequest, fencingToken: number, reason: string): void {
  const { operationKey, item, tool, attempt, planDigest, argsDigest, effect } = request;
  append(sql, {
    runId: request.runId,
    at: request.now,
    type: 'operation.reserved',
    nodeId: request.nodeId,
    actor: 'system',
    data: { operationKey, item, tool, effect, attempt, planDigest, argsDigest, fencingToken, reason },
  });
}
