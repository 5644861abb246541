/** `Runs`: accepted once, moved and ended by conditional updates. */
import {
  StateInvalid,
  TERMINAL_STATUSES,
  type Ledger,
  type NewRun,
  type RunControl,
  type RunRow,
  type RunStatus,
} from '../port.ts';
import { canonicalText } from '../auditChain.ts';
import { parseRun } from '../schemas.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { recordDecisions } from './decisions.ts';
import { keepText, notePerson } from './texts.ts';
import { bindUploads } from './uploads.ts';

/** An erased goal reads as empty, an erased request as an empty object. */
export const RUN_SELECT = `SELECT RunId AS runId, Tenant AS tenant, Requester AS requester, Status AS status,
  Control AS control, Held AS held, Locale AS locale, RequestDigest AS requestDigest, IdempotencyKey AS idempotencyKey,
  Roles AS roles, InstanceId AS instanceId, PlanDigest AS planDigest, WarrantDigest AS warrantDigest,
  PolicyVersion AS policyVersion, Headline AS headline, Error AS error, CreatedAt AS createdAt,
  StartedAt AS startedAt, EndedAt AS endedAt, DeadlineAt AS deadlineAt, RowVersion AS rowVersion,
  ControlSeq AS controlSeq, Stopping AS stopping, RetryOf AS retryOf, COALESCE(AsOf, CreatedAt) AS asOf,
  COALESCE((SELECT Text FROM Texts WHERE TextId = GoalText), '') AS goal,
  COALESCE((SELECT Text FROM Texts WHERE TextId = RequestText), '{}') AS request
  FROM Runs`;

const TERMINAL_LIST = [...TERMINAL_STATUSES].map((status) => `'${status}'`).join(', ');

export function getRun(sql: Sql, runId: string): RunRow | undefined {
  const row = sql.get(`${RUN_SELECT} WHERE RunId = ?`, runId);
  return row === undefined ? undefined : parseRun(row);
}

/** The run, or `StateInvalid`: for verbs that only make sense on a run that exists. */
export function requireRun(sql: Sql, runId: string): RunRow {
  const run = getRun(sql, runId);
  if (run === undefined) throw new StateInvalid(`Run ${runId} is not in the ledger.`);
  return run;
}

type Created = Awaited<ReturnType<Ledger['createRun']>>;

export function createRun(sql: Sql, run: NewRun): Created {
  const first = existing(sql, run);
  if (first !== undefined) {
    return { outcome: first.requestDigest === run.requestDigest ? 'exists' : 'conflict', run: first };
  }
  const text = { tenant: run.tenant, owner: run.requester, runId: run.runId, now: run.now };
  const goalText = `run:${run.runId}:goal`;
  const requestText = `run:${run.runId}:request`;
  const goalDigest = keepText(sql, { ...text, textId: goalText, text: run.goal });
  keepText(sql, { ...text, textId: requestText, text: run.request });
  notePerson(sql, run.tenant, run.requester, run.now);
  sql.run(
    `INSERT INTO Runs (RunId, Tenant, Requester, Status, Control, Held, GoalText, RequestText, Locale, RequestDigest,
       IdempotencyKey, Roles, InstanceId, RetryOf, AsOf, CreatedAt, RowVersion)
     VALUES (?, ?, ?, 'accepted', 'none', 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
    run.runId,
    run.tenant,
    run.requester,
    goalText,
    requestText,
    run.locale,
    run.requestDigest,
    run.idempotencyKey,
    canonicalText(run.roles),
    run.instanceId,
    run.retryOf ?? null,
    run.asOf ?? null,
    run.now,
  );
  bindUploads(sql, run);
  append(sql, {
    runId: run.runId,
    at: run.now,
    type: 'run.accepted',
    nodeId: null,
    actor: run.requester,
    data: {
      tenant: run.tenant,
      requestDigest: run.requestDigest,
      goalDigest,
      roles: run.roles,
      uploads: run.uploads,
      ...(run.retryOf === undefined ? {} : { retryOf: run.retryOf }),
    },
  });
  return { outcome: 'created', run: requireRun(sql, run.runId) };
}

/** The run that holds the idempotency key. Without a key, the same run id with the same body is the same request. */
function existing(sql: Sql, run: NewRun): RunRow | undefined {
  if (run.idempotencyKey !== null) {
    const query = `${RUN_SELECT} WHERE Tenant = ? AND Requester = ? AND IdempotencyKey = ?`;
    const row = sql.get(query, run.tenant, run.requester, run.idempotencyKey);
    if (row !== undefined) return parseRun(row);
  }
  const same = getRun(sql, run.runId);
  if (same !== undefined && (same.tenant !== run.tenant || same.requester !== run.requester)) {
    throw new StateInvalid(`Run id ${run.runId} is taken.`);
  }
  return same;
}

export function moveRun(
  sql: Sql,
  runId: string,
  from: readonly RunStatus[],
  to: RunStatus,
  patch: Parameters<Ledger['moveRun']>[3],
): boolean {
  if (TERMINAL_STATUSES.has(to)) throw new StateInvalid(`Only finishRun ends a run (asked for ${to}).`);
  const run = getRun(sql, runId);
  if (run === undefined || !from.includes(run.status) || TERMINAL_STATUSES.has(run.status)) return false;
  const changed = sql.run(
    `UPDATE Runs SET Status = ?, StartedAt = COALESCE(?, StartedAt), DeadlineAt = COALESCE(?, DeadlineAt),
       PlanDigest = COALESCE(?, PlanDigest), WarrantDigest = COALESCE(?, WarrantDigest),
       PolicyVersion = COALESCE(?, PolicyVersion), RowVersion = RowVersion + 1
     WHERE RunId = ? AND RowVersion = ?`,
    to,
    patch.startedAt ?? null,
    patch.deadlineAt ?? null,
    patch.planDigest ?? null,
    patch.warrantDigest ?? null,
    patch.policyVersion ?? null,
    runId,
    run.rowVersion,
  );
  if (changed !== 1) return false;
  const { now, ...facts } = patch;
  append(sql, {
    runId,
    at: now,
    type: 'run.status',
    nodeId: null,
    actor: 'system',
    data: { from: run.status, to, ...defined(facts) },
  });
  return true;
}

export function setControl(
  sql: Sql,
  runId: string,
  control: RunControl,
  actor: string,
  now: number,
): { readonly accepted: boolean; readonly run: RunRow } {
  const run = requireRun(sql, runId);
  // A cancel is never taken back: nodes have already been told to stop.
  const refused = TERMINAL_STATUSES.has(run.status) || (run.control === 'cancel' && control !== 'cancel');
  if (refused) return { accepted: false, run };
  if (run.control === control) return { accepted: true, run };
  const changed = sql.run(
    `UPDATE Runs SET Control = ?, ControlSeq = ControlSeq + 1, RowVersion = RowVersion + 1
     WHERE RunId = ? AND RowVersion = ? AND Status NOT IN (${TERMINAL_LIST})`,
    control,
    runId,
    run.rowVersion,
  );
  if (changed !== 1) return { accepted: false, run };
  append(sql, { runId, at: now, type: 'run.control', nodeId: null, actor, data: { from: run.control, to: control } });
  return { accepted: true, run: requireRun(sql, runId) };
}

export function setHeld(sql: Sql, runId: string, held: boolean, now: number): void {
  const changed = sql.run(
    `UPDATE Runs SET Held = ?, RowVersion = RowVersion + 1
     WHERE RunId = ? AND Held <> ? AND Status NOT IN (${TERMINAL_LIST})`,
    held ? 1 : 0,
    runId,
    held ? 1 : 0,
  );
  if (changed !== 1) return;
  append(sql, { runId, at: now, type: held ? 'run.held' : 'run.goesOn', nodeId: null, actor: 'scheduler', data: {} });
}

export function stopRun(sql: Sql, runId: string, stop: Parameters<Ledger['stopRun']>[1]): RunRow {
  const run = requireRun(sql, runId);
  if (TERMINAL_STATUSES.has(run.status)) return run;
  recordDecisions(sql, runId, stop.by, stop.decisions, stop.now);
  const changed = sql.run(
    `UPDATE Runs SET Stopping = ?, ControlSeq = ControlSeq + 1, RowVersion = RowVersion + 1
     WHERE RunId = ? AND Stopping IS NULL AND Status NOT IN (${TERMINAL_LIST})`,
    stop.code,
    runId,
  );
  if (changed === 1) {
    append(sql, {
      runId,
      at: stop.now,
      type: 'run.stopping',
      nodeId: null,
      actor: 'scheduler',
      data: { code: stop.code },
    });
  }
  return requireRun(sql, runId);
}

export function finishRun(sql: Sql, runId: string, end: Parameters<Ledger['finishRun']>[1]): RunRow {
  if (!TERMINAL_STATUSES.has(end.status)) throw new StateInvalid(`${end.status} does not end a run.`);
  const run = requireRun(sql, runId);
  if (TERMINAL_STATUSES.has(run.status)) return run;
  recordDecisions(sql, runId, end.by, end.decisions, end.now);
  const changed = sql.run(
    `UPDATE Runs SET Status = ?, Headline = ?, Error = ?, EndedAt = ?, Held = 0, RowVersion = RowVersion + 1
     WHERE RunId = ? AND Status NOT IN (${TERMINAL_LIST})`,
    end.status,
    end.headline,
    end.error === null ? null : canonicalText(end.error),
    end.now,
    runId,
  );
  if (changed !== 1) throw new StateInvalid(`Run ${runId} could not be ended.`);
  append(sql, {
    runId,
    at: end.now,
    type: 'run.finished',
    nodeId: null,
    actor: end.by === 'janitor' ? 'janitor' : 'system',
    data: { from: run.status, status: end.status, error: end.error?.code ?? null, by: end.by },
  });
  return requireRun(sql, runId);
}

/** Without the members that are undefined, which JSON would drop silently. */
function defined(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
