import { DatabaseSync } from 'node:sqlite';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StateInvalid, StoreUnavailable } from '../../../src/ledger/port.ts';
import { isUniqueViolation, openDatabase } from '../../../src/ledger/sqlite/database.ts';
import { migrate, MIGRATIONS } from '../../../src/ledger/sqlite/migrate.ts';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { newRun } from '../../support/ledger/samples.ts';
import { temporaryFolder } from '../../support/ledger/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path = '';
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'ledger.db');
});
afterEach(() => folder.dispose());

describe('migrations', () => {
  const first = { version: 1, name: 'first', sql: 'CREATE TABLE A (X INTEGER) STRICT;' };
  const second = { version: 2, name: 'second', sql: 'CREATE TABLE B (X INTEGER) STRICT;' };

  it('run once, in order, and again only what is new', async () => {
    const database = openDatabase(path);
    await migrate(database, [first]);
    await migrate(database, [first]);
    await migrate(database, [first, second]);
    const rows = await database.read((sql) => sql.all('SELECT Version FROM SchemaMigrations ORDER BY Version'));
    expect(rows).toHaveLength(2);
    database.close();
  });

  it('refuse one that changed after it was applied', async () => {
    const database = openDatabase(path);
    await migrate(database, [first]);
    const changed = { ...first, sql: `${first.sql} ` };
    await expect(migrate(database, [changed])).rejects.toThrow('Migration 1 (first) changed');
    database.close();
  });

  it('refuse a file that a newer release has written', async () => {
    const database = openDatabase(path);
    await migrate(database, [first, second]);
    await expect(migrate(database, [first])).rejects.toBeInstanceOf(StateInvalid);
    database.close();
  });

  it('leave nothing behind when one fails half way', async () => {
    const database = openDatabase(path);
    const broken = { version: 2, name: 'broken', sql: 'CREATE TABLE B (X INTEGER) STRICT; CREATE TABLE A (Y TEXT);' };
    await expect(migrate(database, [first, broken])).rejects.toThrow('already exists');
    const tables = await database.read((sql) => sql.all("SELECT name FROM sqlite_master WHERE type = 'table'"));
    expect(tables).toEqual([]);
    database.close();
  });

  it('are numbered without gap', () => {
    expect(MIGRATIONS.map((migration) => migration.version)).toEqual(MIGRATIONS.map((_, i) => i + 1));
  });

  it('of four openers at once are applied once', async () => {
    const ledgers = [1, 2, 3, 4].map(() => openSqliteLedger({ path }));
    await Promise.all(ledgers.map((ledger) => ledger.migrate()));
    await Promise.all(ledgers.map((ledger, i) => ledger.createRun(newRun({ runId: `run${i}` }))));
    expect((await ledgers[0]!.listRuns('local', { limit: 10, cursor: null })).items).toHaveLength(4);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  });
});

describe('binding', () => {
  it.each([
    ['an object', { a: 1 }],
    ['an array', [1]],
    ['undefined', undefined],
    ['a boolean', true],
    ['NaN', Number.NaN],
    ['a date', new Date(0)],
  ])('%s by mistake throws in place of storing NULL', async (_what, value) => {
    const database = openDatabase(':memory:');
    await database.write((sql) => sql.run('CREATE TABLE A (a TEXT) STRICT'));
    const insert = database.write((sql) => sql.run('INSERT INTO A VALUES (?)', value as never));
    await expect(insert).rejects.toBeInstanceOf(TypeError);
    expect(await database.read((sql) => sql.all('SELECT * FROM A'))).toEqual([]);
    database.close();
  });

  it('a transaction that throws leaves nothing, and the connection goes on', async () => {
    const database = openDatabase(':memory:');
    await database.write((sql) => sql.run('CREATE TABLE A (a INTEGER PRIMARY KEY) STRICT'));
    const twice = database.write((sql) => {
      sql.run('INSERT INTO A VALUES (1)');
      sql.run('INSERT INTO A VALUES (1)');
    });
    expect(isUniqueViolation(await twice.catch((error: unknown) => error))).toBe(true);
    await database.write((sql) => sql.run('INSERT INTO A VALUES (1)'));
    expect(await database.read((sql) => sql.all('SELECT * FROM A'))).toHaveLength(1);
    database.close();
  });
});

describe('a store that does not answer', () => {
  it('waits for another writer, without blocking the event loop, and then goes on', async () => {
    const ledger = openSqliteLedger({ path });
    await ledger.migrate();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
      if (ticks === 3) other.exec('COMMIT');
    }, 20);
    expect((await ledger.createRun(newRun())).outcome).toBe('created');
    clearInterval(ticking);
    expect(ticks).toBeGreaterThanOrEqual(3);
    other.close();
    await ledger.close();
  });

  it('is StoreUnavailable after close and for a path that cannot be opened', async () => {
    const ledger = openSqliteLedger({ path });
    await ledger.migrate();
    await ledger.ping();
    await ledger.close();
    await ledger.close();
    await expect(ledger.ping()).rejects.toBeInstanceOf(StoreUnavailable);
    expect(() => openSqliteLedger({ path: join(folder.path, 'no', 'such', 'folder.db') })).toThrow(StoreUnavailable);
  });

  it('is StateInvalid for a file that is no database', async () => {
    await writeFile(path, 'this is not a database, and long enough to be read as a header of one'.repeat(20));
    const ledger = openSqliteLedger({ path });
    await expect(ledger.migrate()).rejects.toBeInstanceOf(StateInvalid);
    await ledger.close();
  });
});
