import { TERMINAL_STATUSES, type DecisionRow } from '../port.ts';
import type { Sql } from './database.ts';
import { recordDecisions } from './decisions.ts';
import { requireRun } from './runs.ts';

/** As `recordDecisions`; a terminal run takes none any more: its status has been computed from those it had. */
export function recordOpenDecisions(
  sql: Sql,
  runId: string,
  by: string,
  decisions: readonly DecisionRow[],
  now: number,
): void {
  if (!TERMINAL_STATUSES.has(requireRun(sql, runId).status)) recordDecisions(sql, runId, by, decisions, now);
}
