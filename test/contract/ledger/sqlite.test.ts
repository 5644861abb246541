import { join } from 'node:path';
import { describe, it } from 'vitest';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { temporaryFolder } from '../../support/ledger/temporary.ts';
import { ledgerContract } from './suite.ts';

ledgerContract('SQLite file', async () => {
  const folder = await temporaryFolder();
  const ledger = openSqliteLedger({ path: join(folder.path, 'ledger.db') });
  await ledger.migrate();
  return {
    ledger,
    dispose: async () => {
      await ledger.close();
      await folder.dispose();
    },
  };
});

ledgerContract('SQLite memory', async () => {
  const ledger = openSqliteLedger({ path: ':memory:' });
  await ledger.migrate();
  return { ledger, dispose: () => ledger.close() };
});

describe('ledger contract: SQL Server', () => {
  it.skip('needs TEST_SQL_CONNECTION_STRING and the SQL Server store, which is not there yet', () => undefined);
});
