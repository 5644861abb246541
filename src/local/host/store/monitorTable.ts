import type { Database } from './database.ts';

/** When a timer function ran last and is to run next; ms since the epoch. */
export interface MonitorRecord {
  readonly lastMs: number;
  readonly nextMs: number;
  readonly updatedMs: number;
}

export class MonitorTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(functionName: string): MonitorRecord | undefined {
    const row = this.#db.get('SELECT * FROM timer_monitor WHERE function_name = ?', functionName);
    if (row === undefined) return undefined;
    return { lastMs: Number(row['last_ms']), nextMs: Number(row['next_ms']), updatedMs: Number(row['updated_ms']) };
  }

  put(functionName: string, record: MonitorRecord): void {
    this.#db.run(
      'INSERT OR REPLACE INTO timer_monitor (function_name, last_ms, next_ms, updated_ms) VALUES (?, ?, ?, ?)',
      functionName,
      record.lastMs,
      record.nextMs,
      record.updatedMs,
    );
  }
}
