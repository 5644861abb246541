/**
 * Erasable free texts and people (design §6): goals, requests and file names stand here, the audit log holds only
 * salted digests, so that erasing a text leaves nothing to guess it from and breaks no chain.
 */
import { createHash, randomBytes } from 'node:crypto';
import { append } from './audit.ts';
import type { Sql } from './database.ts';

export interface NewText {
  readonly textId: string;
  readonly tenant: string;
  readonly owner: string;
  /** The run it goes away with; null for texts of their own. */
  readonly runId: string | null;
  readonly text: string;
  readonly now: number;
}

/** Stores a text (a second one under the same id replaces it); answers the digest that may be audited. */
export function keepText(sql: Sql, entry: NewText): string {
  const salt = randomBytes(16).toString('hex');
  sql.run(
    `INSERT INTO Texts (TextId, Tenant, Owner, RunId, Text, Salt, CreatedAt) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (TextId) DO UPDATE SET Text = excluded.Text, Salt = excluded.Salt, ErasedAt = NULL`,
    entry.textId,
    entry.tenant,
    entry.owner,
    entry.runId,
    entry.text,
    salt,
    entry.now,
  );
  return createHash('sha256').update(`text.v1:${salt}:${entry.text}`).digest('hex');
}

/** Remembers that a person acted here; names are added elsewhere and can be erased. */
export function notePerson(sql: Sql, tenant: string, oid: string, now: number): void {
  sql.run('INSERT INTO People (Tenant, Oid, FirstSeenAt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', tenant, oid, now);
}

/** Erases goal, request and file names of one run; answers how many texts. Records `run.textsErased`. */
export function eraseTextsOfRun(sql: Sql, runId: string, actor: string, now: number): number {
  const erased = sql.run(
    'UPDATE Texts SET Text = NULL, Salt = NULL, ErasedAt = ? WHERE RunId = ? AND ErasedAt IS NULL',
    now,
    runId,
  );
  if (erased > 0) append(sql, { runId, at: now, type: 'run.textsErased', nodeId: null, actor, data: { erased } });
  return erased;
}

/** Erases every text a person left, and the person's name. */
export function erasePerson(sql: Sql, tenant: string, oid: string, now: number): number {
  sql.run('UPDATE People SET DisplayName = NULL, ErasedAt = ? WHERE Tenant = ? AND Oid = ?', now, tenant, oid);
  return sql.run(
    'UPDATE Texts SET Text = NULL, Salt = NULL, ErasedAt = ? WHERE Tenant = ? AND Owner = ? AND ErasedAt IS NULL',
    now,
    tenant,
    oid,
  );
}
