import { expect, it } from 'vitest';
import { prepare } from '../../support/services/activityRun.ts';
import { testServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();

it('a loop whose outputs are too large together is refused before all of them stand in memory', async () => {
  const services = await testServices(testAppTools);
  const big = 'x'.repeat(4 * 1024 * 1024);
  const run = await prepare(services, {
    nodes: [
      { id: 'list', tool: 'test.items', args: { count: 48 } },
      { id: 'a', tool: 'test.noop', args: { value: 1 }, forEach: { items: { ref: 'list.items' }, maxItems: 48 } },
    ],
  });
  await run.node('list');
  await run.expand('a');
  for (let item = 0; item < 48; item += 1) await run.item('a', item);
  // The rows say where 4 MiB stand; how often they are read shows when gathering gave up.
  let reads = 0;
  const rows = await services.ledger.itemArtifacts(run.runId, 'a');
  const patched = rows.map((row) => ({ ...row, value: null }));
  services.ledger.itemArtifacts = async () => patched;
  services.store.read = async () => {
    reads += 1;
    return new TextEncoder().encode(JSON.stringify(big));
  };
  expect(await run.gather('a')).toMatchObject({ state: 'failed', error: { code: 'RESULT_TOO_LARGE' } });
  expect(reads).toBeLessThan(20);
});
