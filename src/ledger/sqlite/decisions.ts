/** What a scheduler decided, written with the next change that an activity makes (I5); idempotent by (run, by, seq). */
import { StateInvalid, type DecisionRow } from '../port.ts';
import { parseDecision } from '../schemas.ts';
import { append } from './audit.ts';
import type { Sql } from './database.ts';

const SELECT =
  'SELECT Seq AS seq, NodeId AS nodeId, Item AS item, Kind AS kind, Attempt AS attempt, Reason AS reason FROM Decisions';

/** Records those not yet there; another decision under a known seq is `StateInvalid` (the replay went astray). */
export function recordDecisions(
  sql: Sql,
  runId: string,
  by: string,
  decisions: readonly DecisionRow[],
  now: number,
): void {
  for (const decision of decisions) {
    const known = sql.get(`${SELECT} WHERE RunId = ? AND By = ? AND Seq = ?`, runId, by, decision.seq);
    if (known !== undefined) {
      assertSame(runId, parseDecision(known), decision);
      continue;
    }
    const { seq, nodeId, item, kind, attempt, reason } = decision;
    sql.run(
      'INSERT INTO Decisions (RunId, By, Seq, NodeId, Item, Kind, Attempt, Reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      runId,
      by,
      seq,
      nodeId,
      item,
      kind,
      attempt,
      reason,
    );
    append(sql, {
      runId,
      at: now,
      type: 'node.decision',
      nodeId,
      actor: 'scheduler',
      data: { by, decision: seq, item, kind, attempt },
    });
  }
}

function assertSame(runId: string, stored: DecisionRow, given: DecisionRow): void {
  const same =
    stored.nodeId === given.nodeId &&
    stored.item === given.item &&
    stored.kind === given.kind &&
    stored.attempt === given.attempt;
  if (!same) throw new StateInvalid(`Run ${runId} decided differently under seq ${given.seq}.`);
}

/** Decisions about whole nodes. */
export function decisionsOf(sql: Sql, runId: string): DecisionRow[] {
  return sql.all(`${SELECT} WHERE RunId = ? AND Item = -1 ORDER BY By, Seq`, runId).map(parseDecision);
}
