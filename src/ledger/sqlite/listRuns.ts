/** Runs of a tenant, newest first, by keyset: pages neither skip nor repeat when runs arrive in between. */
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { Page, RunRow } from '../port.ts';
import { parseRun } from '../schemas.ts';
import type { Sql } from './database.ts';
import { RUN_SELECT } from './runs.ts';

export function listRuns(
  sql: Sql,
  tenant: string,
  page: { readonly limit: number; readonly cursor: string | null },
): Page<RunRow> {
  const limit = Math.max(1, Math.min(200, Math.trunc(page.limit)));
  const order = 'ORDER BY CreatedAt DESC, RunId DESC LIMIT ?';
  let rows: unknown[];
  if (page.cursor === null) {
    rows = sql.all(`${RUN_SELECT} WHERE Tenant = ? ${order}`, tenant, limit + 1);
  } else {
    const { createdAt, runId } = decodeCursor(page.cursor);
    const after = 'AND (CreatedAt, RunId) < (?, ?)';
    rows = sql.all(`${RUN_SELECT} WHERE Tenant = ? ${after} ${order}`, tenant, createdAt, runId, limit + 1);
  }
  const items = rows.slice(0, limit).map(parseRun);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, nextCursor: more ? encodeCursor(last.createdAt, last.runId) : null };
}
