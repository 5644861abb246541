/** Child process of a crash test: writes to the ledger until it is killed, reporting each committed step. */
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { artifactRow, completion, newRun, reservation, T0 } from './samples.ts';

const [path = '', name = ''] = process.argv.slice(2);
const ledger = openSqliteLedger({ path });
await ledger.migrate();
const runId = `run-${name}`;
await ledger.createRun(newRun({ runId, instanceId: runId }));
for (let i = 0; ; i += 1) {
  const at = { runId, nodeId: `n${i}`, item: -1 };
  await ledger.reserve(reservation({ ...at, operationKey: `${runId}:${i}`, now: T0 + i }));
  const artifact = artifactRow({ ...at, id: `art_${runId}_${i}` });
  await ledger.complete(`${runId}:${i}`, 1, completion([artifact]));
  process.send?.(i);
}
