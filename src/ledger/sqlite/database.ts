/**
 * One SQLite connection, opened for several processes on one file: WAL, full sync, short busy waits, and whole
 * transactions repeated (with jitter) when another process holds the write lock. Writes that are asked for in one turn
 * of the event loop are flushed together, because the flush is what costs.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StateInvalid, StoreUnavailable } from '../port.ts';

/** What may be bound. `node:sqlite` takes an object as named parameters, so anything else is refused here. */
export type SqlValue = null | number | string | Uint8Array;

/** SQL inside one transaction. Positional parameters only. */
export interface Sql {
  /** Runs a statement; answers the affected rows. */
  run(sql: string, ...values: readonly SqlValue[]): number;
  get(sql: string, ...values: readonly SqlValue[]): unknown;
  all(sql: string, ...values: readonly SqlValue[]): unknown[];
}

export interface Database {
  /**
   * One transaction; the body must not await. Retried as a whole while the file is locked. It is a savepoint in a group
   * that is committed together: stored as a whole or not at all whatever becomes of the others, and nobody is told
   * before the flush.
   */
  readonly write: <T>(body: (sql: Sql) => T) => Promise<T>;
  /** One consistent snapshot. */
  readonly read: <T>(body: (sql: Sql) => T) => Promise<T>;
  /** Several statements at once, for migrations. */
  script(text: string): void;
  close(): void;
}

interface Waiting {
  readonly body: (sql: Sql) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Settled = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** Waiting inside SQLite blocks the event loop, so it is short; the rest of the patience is asynchronous. */
const BUSY_MS = 100;
const PATIENCE_MS = 10_000;
const BUSY = new Set([5, 6]);
const CORRUPT = new Set([11, 26]);

/** SQLite's primary result code of an error of `node:sqlite`, or undefined. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

/** True for a violated UNIQUE or PRIMARY KEY constraint (2067, 1555). */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (error.errcode === 2067 || error.errcode === 1555);
}

function translate(error: unknown): unknown {
  const code = primaryCode(error);
  if (code === undefined) {
    // Using a closed connection throws ERR_INVALID_STATE.
    const closed = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
    return closed ? new StoreUnavailable('The ledger is closed.', { cause: error }) : error;
  }
  if (CORRUPT.has(code)) return new StateInvalid('The ledger file is damaged.', { cause: error });
  // 8 READONLY, 10 IOERR, 13 FULL, 14 CANTOPEN beside BUSY and LOCKED: the store, not the statement.
  if (BUSY.has(code) || [8, 10, 13, 14].includes(code)) {
    return new StoreUnavailable('The ledger does not answer.', { cause: error });
  }
  return error;
}

function checked(values: readonly SqlValue[]): SQLInputValue[] {
  for (const value of values as readonly unknown[]) {
    const fits =
      value === null ||
      typeof value === 'string' ||
      value instanceof Uint8Array ||
      (typeof value === 'number' && Number.isFinite(value));
    if (!fits) throw new TypeError(`Cannot bind a value of type ${typeof value} to a statement.`);
  }
  return [...values];
}

/** Waits `ms` without holding the process open longer than needed. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens `path` (or `:memory:`). Throws `StoreUnavailable` when the file cannot be opened. */
export function openDatabase(path: string): Database {
  let connection: DatabaseSync;
  try {
    connection = new DatabaseSync(path, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  } catch (error) {
    throw translate(error);
  }
  const statements = new Map<string, StatementSync>();
  let tuned = false;

  function prepare(sql: string): StatementSync {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  const sql: Sql = {
    run: (text, ...values) => Number(prepare(text).run(...checked(values)).changes),
    get: (text, ...values) => prepare(text).get(...checked(values)),
    all: (text, ...values) => prepare(text).all(...checked(values)),
  };

  /** Changing to WAL needs the file for itself for a moment: part of the retried work, not of opening. */
  function tune(): void {
    if (tuned) return;
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON;');
    tuned = true;
  }

  function once<T>(begin: string, body: (sql: Sql) => T): T {
    tune();
    connection.exec(begin);
    try {
      const result = body(sql);
      connection.exec('COMMIT');
      return result;
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  async function patiently<T>(begin: string, body: (sql: Sql) => T): Promise<T> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (let wait = 5; ; wait = Math.min(wait * 2, 200)) {
      try {
        return once(begin, body);
      } catch (error) {
        const busy = BUSY.has(primaryCode(error) ?? 0);
        if (!busy || performance.now() > giveUpAt) throw translate(error);
      }
      await pause(wait * (0.5 + Math.random()));
    }
  }

  /** One member of a group. What ends the whole transaction (a full disk, say) ends the group. */
  function member(body: (sql: Sql) => unknown): Settled {
    connection.exec('SAVEPOINT member');
    try {
      const value = body(sql);
      connection.exec('RELEASE member');
      return { ok: true, value };
    } catch (error) {
      if (!connection.isTransaction || BUSY.has(primaryCode(error) ?? 0)) throw error;
      connection.exec('ROLLBACK TO member; RELEASE member');
      return { ok: false, error };
    }
  }

  let waiting: Waiting[] = [];

  async function flush(): Promise<void> {
    const group = waiting;
    waiting = [];
    try {
      const settled = await patiently('BEGIN IMMEDIATE', () => group.map(({ body }) => member(body)));
      settled.forEach((one, i) => {
        if (one.ok) group[i]?.resolve(one.value);
        else group[i]?.reject(translate(one.error));
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function write<T>(body: (sql: Sql) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ body, resolve: (value) => resolve(value as T), reject });
      if (waiting.length === 1) setImmediate(() => void flush());
    });
  }

  return {
    write,
    read: (body) => patiently('BEGIN', body),
    script: (text) => {
      connection.exec(text);
    },
    close: () => {
      if (connection.isOpen) connection.close();
    },
  };
}
