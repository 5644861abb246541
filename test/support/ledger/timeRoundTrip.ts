/** Child process of a time test: writes or reads runs at given times under the TZ it was started with. */
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { newRun } from './samples.ts';

const [verb, path = '', ...times] = process.argv.slice(2);
const ledger = openSqliteLedger({ path });
await ledger.migrate();
const read: string[] = [];
for (const [i, time] of times.entries()) {
  const runId = `run${i}`;
  if (verb === 'write') await ledger.createRun(newRun({ runId, now: Date.parse(time) }));
  else read.push(new Date((await ledger.getRun(runId))?.createdAt ?? Number.NaN).toISOString());
}
await ledger.close();
console.log(JSON.stringify({ offset: new Date(Date.UTC(2026, 10, 30)).getTimezoneOffset(), times: read }));
