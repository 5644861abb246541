/** `Plans`: one immutable row per (run, revision). */
import { StateInvalid, TERMINAL_STATUSES, type PlanRow } from '../port.ts';
import { parsePlan } from '../schemas.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { requireRun } from './runs.ts';
import { keepText } from './texts.ts';

const SELECT = `SELECT RunId AS runId, Revision AS revision, PlanDigest AS planDigest, WarrantDigest AS warrantDigest,
  Warrant AS warrant, Schedule AS schedule, Findings AS findings, CreatedAt AS createdAt,
  COALESCE((SELECT Text FROM Texts WHERE TextId = PlanText), '{}') AS "plan"
  FROM Plans WHERE RunId = ?`;

export function savePlan(sql: Sql, row: PlanRow): void {
  const stored = getPlan(sql, row.runId, row.revision);
  if (stored !== undefined) {
    if (stored.planDigest === row.planDigest && stored.warrantDigest === row.warrantDigest) return;
    throw new StateInvalid(`Run ${row.runId} already has another plan as revision ${row.revision}.`);
  }
  const run = requireRun(sql, row.runId);
  // Work that arrives after the end does nothing (O-14).
  if (TERMINAL_STATUSES.has(run.status)) throw new StateInvalid(`Run ${row.runId} has ended and takes no more plans.`);
  const textId = `run:${row.runId}:plan:${row.revision}`;
  const { tenant, requester: owner } = run;
  keepText(sql, { textId, tenant, owner, runId: row.runId, text: row.plan, now: row.createdAt });
  sql.run(
    'INSERT INTO Plans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    row.runId,
    row.revision,
    row.planDigest,
    textId,
    row.warrantDigest,
    row.warrant,
    row.schedule,
    row.findings,
    row.createdAt,
  );
  append(sql, {
    runId: row.runId,
    at: row.createdAt,
    type: 'plan.saved',
    nodeId: null,
    actor: 'system',
    data: { revision: row.revision, planDigest: row.planDigest, warrantDigest: row.warrantDigest },
  });
}

export function getPlan(sql: Sql, runId: string, revision: number): PlanRow | undefined {
  const row = sql.get(`${SELECT} AND Revision = ?`, runId, revision);
  return row === undefined ? undefined : parsePlan(row);
}

export function latestPlan(sql: Sql, runId: string): PlanRow | undefined {
  const row = sql.get(`${SELECT} ORDER BY Revision DESC LIMIT 1`, runId);
  return row === undefined ? undefined : parsePlan(row);
}
