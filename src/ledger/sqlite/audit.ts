/** `AuditEvents`: appended inside the transaction of the change it tells of; never updated, never deleted. */
import type { AuditEvent } from '../port.ts';
import { canonicalText, chainHash } from '../auditChain.ts';
import { parseEvent } from '../schemas.ts';
import type { Database, Sql } from './database.ts';

const COLUMNS = 'RunId AS runId, Seq AS seq, At AS at, Type AS type, NodeId AS nodeId, Actor AS actor, Data AS data';

export type NewEvent = Omit<AuditEvent, 'seq'>;

/** Events that belong to no run stand in a stream of their tenant; the colon keeps it apart from every run id. */
export const tenantStream = (tenant: string): string => `tenant:${tenant}`;

/** Appends one event: next seq of its run, next link of the chain. */
export function append(sql: Sql, event: NewEvent): void {
  const head = sql.get('SELECT Id AS id, Hash AS hash FROM AuditHead') as { id: number; hash: string };
  const last = sql.get('SELECT MAX(Seq) AS seq FROM AuditEvents WHERE RunId = ?', event.runId) as {
    seq: number | null;
  };
  const seq = (last.seq ?? 0) + 1;
  const id = head.id + 1;
  const data = canonicalText(event.data);
  const hash = chainHash(head.hash, id, { ...event, seq });
  sql.run(
    'INSERT INTO AuditEvents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    id,
    event.runId,
    seq,
    event.at,
    event.type,
    event.nodeId,
    event.actor,
    data,
    head.hash,
    hash,
  );
  sql.run('UPDATE AuditHead SET Id = ?, Hash = ?', id, hash);
}

/** Oldest first, those after seq `after`. */
export function events(sql: Sql, runId: string, after: number, limit: number): AuditEvent[] {
  const query = `SELECT ${COLUMNS} FROM AuditEvents WHERE RunId = ? AND Seq > ? ORDER BY Seq LIMIT ?`;
  return sql.all(query, runId, after, limit).map(parseEvent);
}

interface Link {
  readonly id: number;
  readonly prevHash: string;
  readonly hash: string;
}

/** Links read per transaction, so that a long log neither fills memory nor blocks the event loop. */
const BATCH = 500;

/**
 * Walks the chain: ids and per-run seqs without gaps, every hash as recomputed, and the head where the log ends.
 * `brokenAt` is the id of the first link that does not fit (one past the last when the tail was cut off).
 */
export async function verify(
  database: Database,
): Promise<{ readonly ok: boolean; readonly checked: number; readonly brokenAt: number | null }> {
  const seqs = new Map<string, number>();
  let previous = '';
  let checked = 0;
  for (;;) {
    const { rows, head } = await database.read((sql) => ({
      rows: sql.all(
        `SELECT Id AS id, PrevHash AS prevHash, Hash AS hash, ${COLUMNS} FROM AuditEvents WHERE Id > ? ORDER BY Id LIMIT ?`,
        checked,
        BATCH,
      ),
      head: sql.get('SELECT Id AS id, Hash AS hash FROM AuditHead') as { id: number; hash: string } | undefined,
    }));
    for (const row of rows) {
      if (!fits(row as Link, row, checked + 1, previous, seqs)) return { ok: false, checked, brokenAt: checked + 1 };
      previous = (row as Link).hash;
      checked += 1;
    }
    if (rows.length < BATCH) {
      // Rows and head come from one snapshot, so a head that stands elsewhere means that the tail was cut off.
      const whole = head?.id === checked && head.hash === previous;
      return { ok: whole, checked, brokenAt: whole ? null : checked + 1 };
    }
  }
}

function fits(link: Link, row: unknown, id: number, previous: string, seqs: Map<string, number>): boolean {
  let event: AuditEvent;
  try {
    event = parseEvent(row);
  } catch {
    return false;
  }
  const seq = (seqs.get(event.runId) ?? 0) + 1;
  seqs.set(event.runId, seq);
  return (
    link.id === id && event.seq === seq && link.prevHash === previous && link.hash === chainHash(previous, id, event)
  );
}
