import { beforeEach, expect, it } from 'vitest';
import { StoreUnavailable, type Ledger } from '../../../src/ledger/port.ts';
import type { NodeResult } from '../../../src/orchestration/messages.ts';
import { codeOf, prepare } from '../../support/services/activityRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';

const THREE_DAYS_MS = 3 * 86_400_000;
let services: TestServices;
let broken: boolean;
beforeEach(async () => {
  broken = false;
  const built = await testServices(testAppTools);
  const { ledger } = built;
  const complete: Ledger['complete'] = (...args) => {
    if (!broken) return ledger.complete(...args);
    broken = false;
    return Promise.reject(new StoreUnavailable('asleep'));
  };
  services = Object.assign(built, { ledger: Object.assign(Object.create(ledger) as Ledger, { complete }) });
});

const untilOf = (result: NodeResult): number => {
  if (result.state !== 'wait') throw new Error(`not a wait: ${JSON.stringify(result)}`);
  return result.until;
};

it('a wait whose time has come is not waited again when the store was away as it ended', async () => {
  const run = await prepare(services, {
    limits: { deadlineSeconds: 10 * 86_400 },
    nodes: [{ id: 'w', tool: 'test.wait', args: { ms: THREE_DAYS_MS } }],
  });
  const until = untilOf(await run.node('w'));
  services.clock = until + 1;
  broken = true;
  expect(codeOf(await run.node('w', { phase: 'end' }))).toBe('STORE_UNAVAILABLE/transient');
  services.clock += 2_000;
  expect(untilOf(await run.node('w', { attempt: 2 }))).toBe(until);
  expect(await run.node('w', { attempt: 2, phase: 'end' })).toMatchObject({ state: 'done' });
});
