/** Single items of `forEach` nodes: counted for views, read in order for gathering. */
import type { ArtifactRow, ItemCounts, OperationRow, OperationState } from '../port.ts';
import { outcomeOf } from '../outcome.ts';
import { parseArtifact, parseItemCount, parseOperation } from '../schemas.ts';
import { ARTIFACT_SELECT } from './artifacts.ts';
import type { Sql } from './database.ts';
import { OPERATION_SELECT } from './operations.ts';

/** By node, in order of id; nodes without items are absent. */
export function itemCounts(sql: Sql, runId: string): ItemCounts[] {
  const counts = new Map<string, { -readonly [K in keyof ItemCounts]: ItemCounts[K] }>();
  const of = (nodeId: string) => {
    const known = counts.get(nodeId) ?? { nodeId, completed: 0, failed: 0, unknown: 0, open: 0, skipped: 0 };
    counts.set(nodeId, known);
    return known;
  };
  const states = sql.all(
    `SELECT NodeId AS nodeId, State AS state, COUNT(*) AS n FROM WorkflowOperations
     WHERE RunId = ? AND Item >= 0 GROUP BY NodeId, State ORDER BY NodeId, State`,
    runId,
  );
  for (const row of states) {
    const { nodeId, state, n } = parseItemCount(row);
    of(nodeId)[outcomeOf(state)] += n;
  }
  const skipped = sql.all(
    `SELECT d.NodeId AS nodeId, 'reserved' AS state, COUNT(DISTINCT d.Item) AS n FROM Decisions AS d
     WHERE d.RunId = ? AND d.Item >= 0 AND d.Kind <> 'retryWait'
       AND NOT EXISTS (SELECT 1 FROM WorkflowOperations AS o
                       WHERE o.RunId = d.RunId AND o.NodeId = d.NodeId AND o.Item = d.Item)
     GROUP BY d.NodeId ORDER BY d.NodeId`,
    runId,
  );
  for (const row of skipped) {
    const { nodeId, n } = parseItemCount(row);
    of(nodeId).skipped += n;
  }
  return [...counts.values()].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
}

/** Outputs of completed items in order of item. */
export function itemArtifacts(sql: Sql, runId: string, nodeId: string): ArtifactRow[] {
  const query = `${ARTIFACT_SELECT} WHERE RunId = ? AND NodeId = ? AND Item >= 0 ORDER BY Item, Output`;
  return sql.all(query, runId, nodeId).map(parseArtifact);
}

export function itemOperations(
  sql: Sql,
  runId: string,
  nodeId: string,
  page: { readonly states: readonly OperationState[]; readonly afterItem: number; readonly limit: number },
): OperationRow[] {
  const marks = page.states.map(() => '?').join(', ');
  const query = `${OPERATION_SELECT} WHERE RunId = ? AND NodeId = ? AND Item >= 0 AND Item > ? AND State IN (${marks})
    ORDER BY Item LIMIT ?`;
  return sql.all(query, runId, nodeId, page.afterItem, ...page.states, page.limit).map(parseOperation);
}
