/** `Expansions`: how many items a `forEach` group has; written once, before its first instance starts. */
import { StateInvalid, TERMINAL_STATUSES, type DecisionRow, type ExpansionRow, type NewInstance } from '../port.ts';
import { parseExpansion } from '../schemas.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { recordOpenDecisions } from './openDecisions.ts';
import { planInstance } from './instances.ts';
import { requireRun } from './runs.ts';

const SELECT = `SELECT RunId AS runId, Revision AS revision, NodeId AS nodeId, ItemCount AS count,
  ItemsDigest AS itemsDigest, Mode AS mode, CreatedAt AS createdAt FROM Expansions WHERE RunId = ?`;

export function getExpansion(sql: Sql, runId: string, revision: number, nodeId: string): ExpansionRow | undefined {
  const row = sql.get(`${SELECT} AND Revision = ? AND NodeId = ?`, runId, revision, nodeId);
  return row === undefined ? undefined : parseExpansion(row);
}

export function expansionsOf(sql: Sql, runId: string): ExpansionRow[] {
  return sql.all(`${SELECT} ORDER BY Revision, NodeId`, runId).map(parseExpansion);
}

export function saveExpansion(
  sql: Sql,
  row: ExpansionRow,
  lanes: readonly NewInstance[],
  by: string,
  decisions: readonly DecisionRow[],
): ExpansionRow {
  const { runId, revision, nodeId, count, itemsDigest, mode, createdAt } = row;
  recordOpenDecisions(sql, runId, by, decisions, createdAt);
  const stored = getExpansion(sql, runId, revision, nodeId);
  if (stored !== undefined && (stored.itemsDigest !== itemsDigest || stored.count !== count)) {
    throw new StateInvalid(`The items of ${nodeId} in run ${runId} are not those it was expanded over.`);
  }
  if (stored === undefined && TERMINAL_STATUSES.has(requireRun(sql, runId).status)) {
    throw new StateInvalid(`Run ${runId} has ended: ${nodeId} is not expanded any more.`);
  }
  // A repeated call may bring the next attempt of a lane that was lost.
  for (const lane of lanes) planInstance(sql, lane, createdAt);
  if (stored !== undefined) return stored;
  sql.run(
    'INSERT INTO Expansions VALUES (?, ?, ?, ?, ?, ?, ?)',
    runId,
    revision,
    nodeId,
    count,
    itemsDigest,
    mode,
    createdAt,
  );
  append(sql, {
    runId,
    at: createdAt,
    type: 'node.expanded',
    nodeId,
    actor: 'system',
    data: { count, itemsDigest, mode, lanes: lanes.length },
  });
  return row;
}
