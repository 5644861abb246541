import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/ledger/sqlite/database.ts';
import { migrate, MIGRATIONS } from '../../../src/ledger/sqlite/migrate.ts';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a ledger of the first schema', () => {
  it('is upgraded with its rows: runs, decisions and artifacts stay readable', async () => {
    const path = join(folder, 'ledger.sqlite');
    const old = openDatabase(path);
    await migrate(old, MIGRATIONS.slice(0, 1));
    await old.write((sql) => {
      for (const kind of ['goal', 'request'])
        sql.run("INSERT INTO Texts VALUES (?, 'local', 'alice', 'run1', '{}', 's', 1, NULL)", kind);
      sql.run(
        `INSERT INTO Runs (RunId, Tenant, Requester, Status, Control, Held, GoalText, RequestText, Locale, RequestDigest,
           Roles, InstanceId, CreatedAt, RowVersion)
         VALUES ('run1', 'local', 'alice', 'running', 'none', 0, 'goal', 'request', 'en', 'd', '[]', 'run1', 5, 1)`,
      );
      sql.run("INSERT INTO Decisions VALUES ('run1', 1, 'map', -1, 'skippedByFailure', 0, 'it failed')");
    });
    old.close();

    const ledger = openSqliteLedger({ path });
    await ledger.migrate();
    await ledger.migrate();
    expect(await ledger.project('run1')).toMatchObject({
      run: { controlSeq: 0, stopping: null, retryOf: null, asOf: 5 },
      decisions: [{ seq: 1, nodeId: 'map', reason: 'it failed' }],
    });
    await ledger.recordDecisions(
      'run1',
      'run1',
      [{ seq: 1, nodeId: 'map', item: -1, kind: 'skippedByFailure', attempt: 0, reason: 'it failed' }],
      9,
    );
    expect((await ledger.project('run1'))?.decisions).toHaveLength(1);
    await ledger.close();
  });
});
