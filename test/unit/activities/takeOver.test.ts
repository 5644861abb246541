import { beforeEach, describe, expect, it } from 'vitest';
import { retryRun } from '../../../src/runs/retry.ts';
import { accept, alice, drive, view } from '../../support/services/driveRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import type { World } from '../../support/services/world.ts';
import type { Loose } from '../../support/system/api.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { timesNoted } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const DAY = 86_400_000;
const origin = 'http://localhost';
const read = (runId: string): Promise<Loose> => view(services, runId);
const retry = async (world: World, runId: string, principal = alice): Promise<string> => {
  const caller = { principal, route: 'POST /runs/{id}/retry' as const };
  return (await retryRun(services, world.engine, caller, { runId, key: null, origin })).runId;
};
const failing = (before: readonly object[], ids: readonly string[]): object => ({
  nodes: [...before, { id: 'z', tool: 'test.flaky', args: { times: 1, fail: { class: 'permanent' } }, dependsOn: ids }],
  limits: { deadlineSeconds: 80 * 86_400 },
});
const failed = async (plan: object): Promise<{ world: World; runId: string }> => {
  const runId = await accept(services, plan);
  const { end, world } = await drive(services, runId);
  expect(end.status).toBe('failed');
  return { world, runId };
};

describe('O-14 (3) what a run that is tried again takes over', () => {
  it('a remote job that is done is not submitted again, and a wait that is over is not waited for again', async () => {
    const { world, runId } = await failed(
      failing(
        [
          { id: 'j', tool: 'test.job', args: { polls: 0, value: 3 } },
          { id: 'w', tool: 'test.wait', args: { ms: 30 * DAY } },
        ],
        ['j', 'w'],
      ),
    );
    const again = services.clock;
    const next = await retry(world, runId);
    await world.run();
    expect(services.clock - again).toBeLessThan(DAY);
    expect([timesNoted('job.submit'), timesNoted('wait')]).toEqual([1, 1]);
    const { nodes } = await read(next);
    expect(nodes.map((node: Loose) => [node.id, node.state]).slice(0, 2)).toEqual([
      ['j', 'succeeded'],
      ['w', 'succeeded'],
    ]);
  });

  it.each(['lost', 'damaged'])('a result whose bytes are %s is made again', async (how) => {
    const { world, runId } = await failed(failing([{ id: 'a', tool: 'test.count', args: { value: 4 } }], ['a']));
    const [row] = await services.ledger.artifactsOf(runId, 'a', -1);
    const name = row?.blobName ?? '';
    if (how === 'lost') services.store.blobs.delete(name);
    else services.store.blobs.set(name, { bytes: new TextEncoder().encode('5'), mediaType: 'application/json' });
    const next = await retry(world, runId);
    await world.run();
    expect((await read(next)).nodes[0]).toMatchObject({ id: 'a', state: 'succeeded' });
    expect(timesNoted('count')).toBe(2);
  });

  it('only the requester may try a run again; for another tenant there is no such run', async () => {
    const { world, runId } = await failed(failing([], []));
    await expect(retry(world, runId, { ...alice, oid: 'bob' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const operator = { ...alice, oid: 'olga', roles: ['requester', 'operator'] as const };
    await expect(retry(world, runId, operator)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(retry(world, runId, { ...alice, tenant: 'other' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(retry(world, `${runId}x`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a purged run is gone: the answer says so', async () => {
    const { world, runId } = await failed(failing([], []));
    await services.ledger.purgeRun(runId, services.clock);
    await expect(retry(world, runId)).rejects.toMatchObject({ code: 'WRONG_STATE' });
  });
});
