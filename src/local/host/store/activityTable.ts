import type { Database } from './database.ts';

/** An activity call that has no stored completion. */
export interface ActivityRecord {
  readonly seq: number;
  readonly instanceId: string;
  readonly executionId: string;
  readonly taskId: number;
  readonly name: string;
  /** JSON text of `[input]`. */
  readonly input: string;
}

/** The activity queue; the order of start is first in, first out. */
export class ActivityTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(record: Omit<ActivityRecord, 'seq'>): ActivityRecord {
    const row = this.#db.get(
      'INSERT INTO activities (instance_id, execution_id, task_id, name, input) VALUES (?, ?, ?, ?, ?) RETURNING seq',
      record.instanceId,
      record.executionId,
      record.taskId,
      record.name,
      record.input,
    );
    return { ...record, seq: Number(row?.['seq']) };
  }

  /** False when another completion of it has been stored. */
  remove(seq: number): boolean {
    return this.#db.run('DELETE FROM activities WHERE seq = ?', seq) > 0;
  }

  all(): ActivityRecord[] {
    return this.#db.all('SELECT * FROM activities ORDER BY seq').map((row) => ({
      seq: Number(row['seq']),
      instanceId: String(row['instance_id']),
      executionId: String(row['execution_id']),
      taskId: Number(row['task_id']),
      name: String(row['name']),
      input: String(row['input']),
    }));
  }
}
