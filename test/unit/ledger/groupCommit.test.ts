import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src/ledger/sqlite/database.ts';

let folder: string;
let open: Database[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-group-'));
});
afterEach(() => {
  for (const database of open) database.close();
  open = [];
  rmSync(folder, { recursive: true, force: true });
});

function connect(): Database {
  const database = openDatabase(join(folder, 'group.sqlite'));
  open.push(database);
  return database;
}

describe('writes of one turn', () => {
  it('are stored one by one: what fails takes nothing of the others with it', async () => {
    const database = connect();
    database.script('CREATE TABLE T (Id INTEGER PRIMARY KEY) STRICT');
    const insert = (id: number): Promise<number> => database.write((sql) => sql.run('INSERT INTO T VALUES (?)', id));
    const half = database.write((sql) => {
      sql.run('INSERT INTO T VALUES (?)', 7);
      throw new Error('in the middle');
    });
    const all = await Promise.allSettled([insert(1), half, insert(1), insert(2)]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await database.read((sql) => sql.all('SELECT Id FROM T ORDER BY Id'))).toEqual([{ Id: 1 }, { Id: 2 }]);
  });

  it('are on disk for another connection before anybody is told', async () => {
    const database = connect();
    database.script('CREATE TABLE T (Id INTEGER PRIMARY KEY) STRICT');
    const other = connect();
    const seen = await Promise.all(
      [11, 12, 13].map((id) =>
        database
          .write((sql) => sql.run('INSERT INTO T VALUES (?)', id))
          .then(() => other.read((sql) => sql.get('SELECT count(*) AS n FROM T WHERE Id >= 11'))),
      ),
    );
    expect(seen).toEqual([{ n: 3 }, { n: 3 }, { n: 3 }]);
  });
});
