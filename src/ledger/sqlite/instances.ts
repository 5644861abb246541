/** `Instances`: child orchestrations, recorded before they are called; ids are never reused. */
import { StateInvalid, TERMINAL_STATUSES, type InstanceRow, type NewInstance } from '../port.ts';
import { parseInstance } from '../schemas.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';
import { requireRun } from './runs.ts';

const SELECT = `SELECT InstanceId AS instanceId, RunId AS runId, Kind AS kind, Revision AS revision, NodeId AS nodeId,
  Item AS item, Attempt AS attempt, State AS state, DueAt AS until, ToItem AS "to", CreatedAt AS createdAt,
  EndedAt AS endedAt FROM Instances`;

export function getInstance(sql: Sql, instanceId: string): InstanceRow | undefined {
  const row = sql.get(`${SELECT} WHERE InstanceId = ?`, instanceId);
  return row === undefined ? undefined : parseInstance(row);
}

/** Records it unless it is there; the first record stands. One of another run or node is `StateInvalid`. */
export function planInstance(sql: Sql, instance: NewInstance, now: number): InstanceRow {
  const { instanceId, runId, kind, revision, nodeId, item, attempt, until, to } = instance;
  const stored = getInstance(sql, instanceId);
  if (stored !== undefined) {
    const same =
      stored.runId === runId &&
      stored.kind === kind &&
      stored.nodeId === nodeId &&
      stored.item === item &&
      stored.attempt === attempt;
    if (!same) throw new StateInvalid(`Instance ${instanceId} is recorded for something else.`);
    return stored;
  }
  // Work that arrives after the end does nothing (O-14): no row that nobody would close or purge.
  if (TERMINAL_STATUSES.has(requireRun(sql, runId).status)) {
    return { ...instance, state: 'ended', createdAt: now, endedAt: now };
  }
  sql.run(
    `INSERT INTO Instances (InstanceId, RunId, Kind, Revision, NodeId, Item, Attempt, State, DueAt, ToItem, CreatedAt)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'planned', ?, ?, ?)`,
    instanceId,
    runId,
    kind,
    revision,
    nodeId,
    item,
    attempt,
    until,
    to,
    now,
  );
  append(sql, {
    runId,
    at: now,
    type: 'instance.planned',
    nodeId,
    actor: 'system',
    data: { instanceId, kind, item, attempt, until, to },
  });
  return { ...instance, state: 'planned', createdAt: now, endedAt: null };
}

export function moveInstance(sql: Sql, instanceId: string, to: 'live' | 'ended', now: number): boolean {
  const from = to === 'live' ? "State = 'planned'" : "State <> 'ended'";
  const changed = sql.run(
    `UPDATE Instances SET State = ?, EndedAt = ? WHERE InstanceId = ? AND ${from}`,
    to,
    to === 'ended' ? now : null,
    instanceId,
  );
  return changed === 1;
}

/** Those not ended, oldest first. */
export function openInstances(sql: Sql, runId: string, limit: number): InstanceRow[] {
  const query = `${SELECT} WHERE RunId = ? AND State <> 'ended' ORDER BY CreatedAt, InstanceId LIMIT ?`;
  return sql.all(query, runId, limit).map(parseInstance);
}

export function instancesOf(sql: Sql, runId: string): InstanceRow[] {
  return sql.all(`${SELECT} WHERE RunId = ? ORDER BY CreatedAt, InstanceId`, runId).map(parseInstance);
}
