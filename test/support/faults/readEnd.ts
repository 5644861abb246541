import { DatabaseSync } from 'node:sqlite';
import { submitKey } from '../../../src/activities/job.ts';
import { TERMINAL_STATUSES, type RunStatus } from '../../../src/ledger/port.ts';
import type { JournalLine } from '../testApp/journal.ts';
import type { End } from './oracle.ts';

/** A process that starts may hold the file for a moment. */
const READ = { readOnly: true, timeout: 10_000 } as const;

const MOST_ATTEMPTS = 20;

type Row = Readonly<Record<string, string | number | null>>;

const key = (row: Row): string => `${String(row['NodeId'])}#${String(row['Item'])}`;

/** Own files of the system (plan, report) name the run and so differ from run to run. */
const ofPlan = (row: Row): boolean => !String(row['NodeId']).startsWith('$');

/** Keys under which a remote service may know an operation: one an attempt. */
export function submitKeys(operationKey: string): string[] {
  return Array.from({ length: MOST_ATTEMPTS }, (_, i) => submitKey(operationKey, i + 1));
}

/** Rows to a map; what is there twice gets a key of its own, so that no comparison overlooks it. */
function mapOf(rows: readonly Row[], keyOf: (row: Row) => string, valueOf: (row: Row) => string): Map<string, string> {
  const map = new Map<string, string>();
  for (const row of rows) {
    const name = keyOf(row);
    map.set(map.has(name) ? `${name} (again)` : name, valueOf(row));
  }
  return map;
}

/** What a remote service does when it is asked; asking twice is no effect. */
const ASKED: ReadonlySet<string> = new Set(['job.find', 'job.poll', 'job.cancel', 'job.busy']);

/**
 * How often each tool really ran for this run, by `what:node#item`.
 * @param keys operation key → `node#item`: a remote service knows nothing else
 */
export function effectsOf(
  lines: readonly JournalLine[],
  runId: string,
  keys: ReadonlyMap<string, string>,
): Map<string, number> {
  const effects = new Map<string, number>();
  for (const line of lines) {
    const submitted = typeof line['key'] === 'string' ? keys.get(line['key']) : undefined;
    if ((line.runId !== runId && submitted === undefined) || ASKED.has(line.what)) continue;
    const failed = line['failed'] === true ? '!' : '';
    const name = `${line.what}${failed}:${submitted ?? `${line.nodeId ?? ''}#${String(line.item ?? -1)}`}`;
    effects.set(name, (effects.get(name) ?? 0) + 1);
  }
  return effects;
}

/** Reads the end of a run from the ledger's tables as they lie, past the product's own reading code. */
export function readLedger(
  path: string,
  runId: string,
): Omit<End, 'effects' | 'runningInstances' | 'leftMessages'> & { readonly keys: ReadonlyMap<string, string> } {
  const db = new DatabaseSync(path, READ);
  try {
    db.exec('BEGIN');
    const rows = (sql: string): Row[] => db.prepare(sql).all(runId) as Row[];
    const operations = rows(
      'SELECT OperationKey, NodeId, Item, State, ErrorCode FROM WorkflowOperations WHERE RunId = ?',
    );
    const artifacts = rows('SELECT NodeId, Item, Output, Sha256 FROM Artifacts WHERE RunId = ?').filter(ofPlan);
    const decisions = rows("SELECT DISTINCT NodeId, Item, Kind FROM Decisions WHERE RunId = ? AND Kind <> 'retryWait'");
    const events = rows('SELECT Seq, Type FROM AuditEvents WHERE RunId = ? ORDER BY Seq');
    const hasInstances = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'Instances'").get() !== undefined;
    const open = hasInstances ? rows("SELECT 1 FROM Instances WHERE RunId = ? AND State <> 'ended'") : [];
    return {
      keys: new Map(
        operations.flatMap((row) => submitKeys(String(row['OperationKey'])).map((name) => [name, key(row)])),
      ),
      status: String(rows('SELECT Status FROM Runs WHERE RunId = ?')[0]?.['Status']),
      operations: mapOf(operations.filter(ofPlan), key, (row) =>
        `${String(row['State'])} ${row['ErrorCode'] ?? ''}`.trim(),
      ),
      artifacts: mapOf(
        artifacts,
        (row) => `${key(row)}.${String(row['Output'])}`,
        (row) => String(row['Sha256']),
      ),
      decisions: mapOf(decisions, key, (row) => String(row['Kind'])),
      terminalEvents: events.filter((event) => event['Type'] === 'run.finished').length,
      auditOk: events.every((event, i) => event['Seq'] === i + 1),
      openInstances: open.length,
    };
  } finally {
    db.close();
  }
}

/** The row of a run; undefined when there is none yet. */
export function readRunRow(
  path: string,
  runId: string,
): { status: string; held: boolean; terminal: boolean } | undefined {
  const db = new DatabaseSync(path, READ);
  try {
    const row = db.prepare('SELECT Status, Held FROM Runs WHERE RunId = ?').get(runId) as Row | undefined;
    if (row === undefined) return undefined;
    const status = String(row['Status']);
    return { status, held: row['Held'] === 1, terminal: TERMINAL_STATUSES.has(status as RunStatus) };
  } finally {
    db.close();
  }
}

/** What the embedded host still holds of a run: instances that have not ended; messages, timers and calls. */
export function readHostStore(path: string, runId: string): { runningInstances: number; leftMessages: number } {
  const db = new DatabaseSync(path, READ);
  try {
    const count = (sql: string): number => Number((db.prepare(sql).get(runId, `${runId}-*`) as Row)['n']);
    const ours = '(instance_id = ? OR instance_id GLOB ?)';
    return {
      runningInstances: count(
        `SELECT count(*) AS n FROM instances WHERE ${ours} AND status NOT IN ('Completed', 'Terminated', 'Failed', 'Canceled')`,
      ),
      leftMessages:
        count(`SELECT count(*) AS n FROM inbox WHERE ${ours}`) +
        count(`SELECT count(*) AS n FROM activities WHERE ${ours}`),
    };
  } finally {
    db.close();
  }
}
