/** Intent before deed (I5): the one place where an operation becomes ours. */
import {
  StateInvalid,
  TERMINAL_STATUSES,
  type InstanceRow,
  type OperationRow,
  type ReserveOutcome,
  type ReserveRequest,
} from '../port.ts';
import { judge, sameOperation } from '../judge.ts';
import { outcomeOf } from '../outcome.ts';
import { artifactsOf } from './artifacts.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { recordDecisions } from './decisions.ts';
import { getInstance, planInstance } from './instances.ts';
import { getOperation } from './operations.ts';
import { requireRun } from './runs.ts';

export function reserve(sql: Sql, request: ReserveRequest): ReserveOutcome {
  const run = requireRun(sql, request.runId);
  // A terminal run takes no more decisions: its status has been computed from those it had.
  if (!TERMINAL_STATUSES.has(run.status)) recordDecisions(sql, run.runId, request.by, request.decisions, request.now);
  const row = getOperation(sql, request.operationKey);
  const followed = row === undefined ? undefined : alreadyFollowed(sql, request, row);
  if (followed !== undefined) return followed;
  const verdict = judge(request, run, row);
  switch (verdict.do) {
    case 'insert':
      insert(sql, request);
      audit(sql, request, 1, 'first');
      return { outcome: 'reserved', fencingToken: 1, again: false, child: recordChild(sql, request) };
    case 'take': {
      const fencingToken = take(sql, request, existing(row), verdict.attempt);
      audit(sql, request, fencingToken, verdict.reopened ? 'retry' : 'takeover');
      return { outcome: 'reserved', fencingToken, again: !verdict.reopened, child: recordChild(sql, request) };
    }
    case 'wait':
      return { outcome: 'busy', ownerUntil: verdict.ownerUntil };
    case 'hold':
      return { outcome: 'held' };
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

/** The child that will settle the operation, in the same transaction as the intent. */
function recordChild(sql: Sql, request: ReserveRequest): InstanceRow | null {
  return request.child === undefined ? null : planInstance(sql, request.child, request.now);
}

/** A repeated intent whose child is on record takes nothing away from that child: it is told of it again. */
function alreadyFollowed(sql: Sql, request: ReserveRequest, row: OperationRow): ReserveOutcome | undefined {
  if (request.child === undefined || row.attempt > request.attempt || outcomeOf(row.state) !== 'open') return undefined;
  if (!sameOperation(request, row)) return undefined;
  const child = getInstance(sql, request.child.instanceId);
  if (child === undefined) return undefined;
  return { outcome: 'reserved', fencingToken: row.fencingToken, again: true, child };
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
    `UPDATE WorkflowOperations SET State = CASE State WHEN 'failed' THEN 'reserved' ELSE State END, Attempt = ?, FencingToken = ?, OwnerUntil = ?,
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
