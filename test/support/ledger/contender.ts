/** Child process of a race test: tries to reserve the same operations as its rivals and reports what it won. */
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { newRun, reservation } from './samples.ts';

const [path = '', count = '0'] = process.argv.slice(2);
const ledger = openSqliteLedger({ path });
await ledger.migrate();
const { outcome } = await ledger.createRun(newRun({ runId: `run-${process.pid}`, idempotencyKey: 'one' }));
await new Promise((resolve) => process.once('message', resolve).send?.('ready'));
const runId = (await ledger.listRuns('local', { limit: 1, cursor: null })).items[0]?.runId ?? '';
const won: number[] = [];
for (let i = 0; i < Number(count); i += 1) {
  const result = await ledger.reserve(reservation({ runId, operationKey: `op${i}`, nodeId: `n${i}` }));
  if (result.outcome === 'reserved') won.push(i);
}
await ledger.close();
process.send?.({ outcome, won });
process.disconnect();
