import type { ParentRef, RuntimeStatus } from '../durable/events.ts';
import type { Database, Row } from './database.ts';

/** The status record of an instance. Times in ms since the epoch; input, output and custom status are JSON texts. */
export interface InstanceRecord {
  readonly instanceId: string;
  readonly executionId: string;
  /** As the caller wrote it (Q29). */
  readonly name: string;
  readonly version: string;
  readonly status: RuntimeStatus;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly input: string | null;
  /** Result, failure text, or the reason of a terminate or suspend: not always JSON. */
  readonly output: string | null;
  readonly customStatus: string | null;
  readonly parent: ParentRef | null;
}

/** Filter of a list; unset fields do not filter. */
export interface InstanceFilter {
  readonly prefix?: string | undefined;
  readonly createdFrom?: number | undefined;
  readonly createdTo?: number | undefined;
  readonly statuses?: readonly RuntimeStatus[] | undefined;
  /** Largest number of records. */
  readonly top?: number | undefined;
  /** The last record of the page before. */
  /** Only ids after this one. */
  readonly after?: string | undefined;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function fromRow(row: Row): InstanceRecord {
  const parent = text(row['parent']);
  return {
    instanceId: String(row['instance_id']),
    executionId: String(row['execution_id']),
    name: String(row['name']),
    version: String(row['version']),
    status: row['status'] as RuntimeStatus,
    createdMs: Number(row['created_ms']),
    updatedMs: Number(row['updated_ms']),
    input: text(row['input']),
    output: text(row['output']),
    customStatus: text(row['custom_status']),
    parent: parent === null ? null : (JSON.parse(parent) as ParentRef),
  };
}

/** Instances and their histories. */
export class InstanceTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(instanceId: string): InstanceRecord | undefined {
    const row = this.#db.get('SELECT * FROM instances WHERE instance_id = ?', instanceId);
    return row === undefined ? undefined : fromRow(row);
  }

  put(record: InstanceRecord): void {
    this.#db.run(
      `INSERT OR REPLACE INTO instances (instance_id, execution_id, name, version, status, created_ms, updated_ms, input,
       output, custom_status, parent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      record.instanceId,
      record.executionId,
      record.name,
      record.version,
      record.status,
      record.createdMs,
      record.updatedMs,
      record.input,
      record.output,
      record.customStatus,
      record.parent === null ? null : JSON.stringify(record.parent),
    );
  }

  /** Removes status and history; false when there was none. */
  remove(instanceId: string): boolean {
    this.clearHistory(instanceId);
    return this.#db.run('DELETE FROM instances WHERE instance_id = ?', instanceId) > 0;
  }

  /** Records in the order of their ids, as Azure's tables keep them. */
  list(filter: InstanceFilter): InstanceRecord[] {
    const where: string[] = ['1 = 1'];
    const values: (string | number)[] = [];
    const add = (condition: string, ...bound: (string | number)[]): void => {
      where.push(condition);
      values.push(...bound);
    };
    if (filter.prefix !== undefined) add('substr(instance_id, 1, length(?)) = ?', filter.prefix, filter.prefix);
    if (filter.createdFrom !== undefined) add('created_ms >= ?', filter.createdFrom);
    if (filter.createdTo !== undefined) add('created_ms <= ?', filter.createdTo);
    if (filter.statuses !== undefined)
      add('status IN (SELECT value FROM json_each(?))', JSON.stringify(filter.statuses));
    if (filter.after !== undefined) add('instance_id > ?', filter.after);
    const rows = this.#db.all(
      `SELECT * FROM instances WHERE ${where.join(' AND ')} ORDER BY instance_id LIMIT ?`,
      ...values,
      filter.top ?? -1,
    );
    return rows.map(fromRow);
  }

  /** Event texts in order. */
  history(instanceId: string): string[] {
    const rows = this.#db.all('SELECT event FROM history WHERE instance_id = ? ORDER BY position', instanceId);
    return rows.map((row) => String(row['event']));
  }

  appendHistory(instanceId: string, from: number, events: readonly string[]): void {
    events.forEach((event, i) => {
      this.#db.run('INSERT INTO history (instance_id, position, event) VALUES (?, ?, ?)', instanceId, from + i, event);
    });
  }

  clearHistory(instanceId: string): void {
    this.#db.run('DELETE FROM history WHERE instance_id = ?', instanceId);
  }
}
