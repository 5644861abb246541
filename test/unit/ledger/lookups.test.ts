import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { artifactRow, completion, decision, newRun, reservation, T0 } from '../../support/ledger/samples.ts';
import { temporaryFolder } from '../../support/ledger/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await folder.dispose();
});

/** Tables that grow with every run and item. */
const GROWING =
  /^SCAN (?:\w+ AS )?(?:WorkflowOperations|Artifacts|Decisions|AuditEvents|Instances|Expansions|Plans|Runs|[a-z])$/;

it('what runs, pollers and the janitor ask is looked up: no statement reads a growing table from end to end', async () => {
  const path = join(folder.path, 'ledger.db');
  const ledger = openSqliteLedger({ path });
  await ledger.migrate();
  const texts = new Set<string>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { prepare } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, text, ...more) {
    texts.add(text);
    return prepare.call(this, text, ...more);
  });

  await ledger.createRun(newRun());
  const instance = { revision: 1, nodeId: 'each', item: 0, attempt: 1, until: null, to: 5 };
  const lane = { ...instance, instanceId: 'run1-aaaaaaaaaaaa', runId: 'run1', kind: 'lane' as const };
  const expansion = { runId: 'run1', revision: 1, nodeId: 'each', count: 5, itemsDigest: 'e'.repeat(64) };
  await ledger.saveExpansion({ ...expansion, mode: 'lanes', createdAt: T0 }, [lane], 'run1', [decision()]);
  const one = { nodeId: 'each', item: 0 };
  await ledger.reserve(reservation(one));
  await ledger.complete('op1', 1, completion([artifactRow(one)]));
  await ledger.follow('op1', T0, 5);
  await ledger.project('run1');
  await ledger.itemArtifacts('run1', 'each');
  await ledger.itemOperations('run1', 'each', { states: ['failed', 'unknown'], afterItem: 3, limit: 5 });
  await ledger.artifactsOf('run1', 'each', 0);
  await ledger.openInstances('run1', 10);
  await ledger.moveInstance(lane.instanceId, 'live', T0);
  await ledger.events('run1', 3, 5);
  await ledger.listRuns('local', { limit: 5, cursor: null });
  await ledger.staleRuns(T0 + 99, 5, 'run1');
  const end = { headline: null, error: null, now: T0 + 9, by: 'run1', decisions: [] };
  await ledger.finishRun('run1', { ...end, status: 'failed' });
  await ledger.endedRunsWithInstances(5);
  await ledger.runsEndedBetween(T0, T0 + 99, 5);
  await ledger.expireOwners(T0 + 999_999, 5);
  await ledger.purgeable(T0 + 999_999, 5);
  await ledger.blobNamesOf('run1');
  await ledger.purgeRun('run1', T0 + 99);
  await ledger.close();

  const reader = new DatabaseSync(path);
  const scans = [...texts].flatMap((text) =>
    reader
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map((row) => String(row['detail']))
      .filter((detail) => GROWING.test(detail))
      .map((detail) => `${detail}: ${text.slice(0, 200)}`),
  );
  expect(texts.size).toBeGreaterThan(40);
  expect(scans).toEqual([]);
  // The rule sees a scan where there is one.
  const detail = reader.prepare('EXPLAIN QUERY PLAN SELECT * FROM Decisions WHERE Reason = ?').get()?.['detail'];
  expect(detail).toMatch(GROWING);
  reader.close();
});
