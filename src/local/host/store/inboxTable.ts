import type { MessageEvent } from '../durable/events.ts';
import type { Database } from './database.ts';

/** A message on its way to an instance. */
export interface InboxMessage {
  readonly instanceId: string;
  /** Null for terminate, suspend, resume and external events: they reach whatever execution is current. */
  readonly executionId: string | null;
  readonly event: MessageEvent;
  /** When it may be delivered (timers), or when it arrived; ms since the epoch. Delivery is in this order, then by seq. */
  readonly dueMs: number;
  readonly isTimer: boolean;
}
export type StoredMessage = InboxMessage & { readonly seq: number };

/** Messages that no episode has taken yet. */
export class InboxTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(message: InboxMessage): void {
    this.#db.run(
      'INSERT INTO inbox (instance_id, execution_id, is_timer, due_ms, event) VALUES (?, ?, ?, ?, ?)',
      message.instanceId,
      message.executionId,
      message.isTimer ? 1 : 0,
      message.dueMs,
      JSON.stringify(message.event),
    );
  }

  /** Messages of one instance that are due, in order of arrival. */
  due(instanceId: string, now: number): StoredMessage[] {
    const rows = this.#db.all(
      'SELECT * FROM inbox WHERE instance_id = ? AND (is_timer = 0 OR due_ms <= ?) ORDER BY due_ms, seq',
      instanceId,
      now,
    );
    return rows.map((row) => ({
      seq: Number(row['seq']),
      instanceId,
      executionId: typeof row['execution_id'] === 'string' ? row['execution_id'] : null,
      isTimer: row['is_timer'] === 1,
      dueMs: Number(row['due_ms']),
      event: JSON.parse(String(row['event'])) as MessageEvent,
    }));
  }

  remove(seqs: readonly number[]): void {
    for (const seq of seqs) this.#db.run('DELETE FROM inbox WHERE seq = ?', seq);
  }

  /** Drops what was meant for one execution: its timers and late completions. */
  removeExecution(instanceId: string, executionId: string): void {
    this.#db.run('DELETE FROM inbox WHERE instance_id = ? AND execution_id = ?', instanceId, executionId);
  }

  removeInstance(instanceId: string): void {
    this.#db.run('DELETE FROM inbox WHERE instance_id = ?', instanceId);
  }

  /** Instances with anything due. */
  readyInstances(now: number): string[] {
    const rows = this.#db.all('SELECT DISTINCT instance_id FROM inbox WHERE is_timer = 0 OR due_ms <= ?', now);
    return rows.map((row) => String(row['instance_id']));
  }

  /** Instances with a timer that is due. */
  instancesWithDueTimer(now: number): string[] {
    const rows = this.#db.all('SELECT DISTINCT instance_id FROM inbox WHERE is_timer = 1 AND due_ms <= ?', now);
    return rows.map((row) => String(row['instance_id']));
  }

  /** Time of the earliest timer after `now`; undefined when there is none. */
  nextTimer(now: number): number | undefined {
    const row = this.#db.get('SELECT MIN(due_ms) AS due FROM inbox WHERE is_timer = 1 AND due_ms > ?', now);
    return typeof row?.['due'] === 'number' ? row['due'] : undefined;
  }
}
