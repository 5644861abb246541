import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { lockStore } from './lock.ts';
import { SCHEMA } from './schema.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The open store file: WAL, every commit flushed to disk, one writer. */
export class Database {
  readonly #database: DatabaseSync;
  readonly #release: () => void;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * Opens or makes the store in `directory`.
   * @throws StoreLockedError when another host holds it
   */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#release = lockStore(join(directory, 'host.lock'));
    try {
      this.#database = new DatabaseSync(join(directory, 'host.db'));
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
      this.#database.exec(SCHEMA);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values);
  }

  /** Runs `work` as one transaction: committed and flushed when it returns, undone when it throws. */
  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Part of a transaction that is undone alone when it throws. */
  savepoint<T>(work: () => T): T {
    this.#database.exec('SAVEPOINT piece');
    try {
      const result = work();
      this.#database.exec('RELEASE piece');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK TO piece; RELEASE piece');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
    this.#release();
  }
}
