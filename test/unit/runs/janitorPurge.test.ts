import { beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/plan/sha256.ts';
import { artifactBlobName } from '../../../src/artifacts/names.ts';
import { artifactRow, completion, decision, digest, planRow, reservation } from '../../support/ledger/samples.ts';
import { DAY, janitorStage, MINUTE, NOTHING, type JanitorStage } from '../../support/services/janitorWorld.ts';

let stage: JanitorStage;
beforeEach(async () => {
  stage = await janitorStage();
});

/** A run with a plan, results of a node and of two items, children and an expansion, ended now. */
async function ended(runId: string): Promise<void> {
  const { services, engine } = stage;
  const { ledger, store } = services;
  await stage.run(runId, 'running');
  await ledger.savePlan(planRow({ runId }));
  const row = { runId, revision: 1, nodeId: 'each', count: 2, itemsDigest: digest('7'), createdAt: services.clock };
  await ledger.saveExpansion({ ...row, mode: 'lanes' }, [], runId, [decision()]);
  for (const item of [-1, 0, 1]) {
    const bytes = new TextEncoder().encode(`${runId} ${String(item)}`);
    const sha256 = sha256Hex(bytes);
    const blobName = artifactBlobName({ tenant: 'local', runId, nodeId: 'each', item, output: 'value', sha256 });
    await store.put(blobName, bytes, 'application/json', sha256);
    const at = { runId, nodeId: 'each', item };
    const operationKey = `${runId}:${String(item)}`;
    await ledger.reserve(reservation({ ...at, operationKey }));
    await ledger.complete(operationKey, 1, completion([artifactRow({ ...at, id: `art_${operationKey}`, blobName })]));
  }
  for (const name of ['lane', 'sleep']) {
    const instanceId = await stage.child(runId, name);
    await ledger.moveInstance(instanceId, 'ended', services.clock);
    engine.instances.set(instanceId, 'Completed');
  }
  engine.instances.set(runId, 'Completed');
  await stage.end(runId, 'succeeded');
}

const left = async (runId: string) => {
  const { ledger, store } = stage.services;
  const seen = await ledger.project(runId);
  return {
    plan: seen?.plan !== null,
    operations: seen?.operations.length,
    instances: (await ledger.instancesOf(runId)).length,
    blobs: [...store.blobs.keys()].filter((name) => name.includes(`/runs/${runId}/`)).length,
    histories: [...stage.engine.instances.keys()].filter((id) => id.startsWith(runId)).length,
  };
};
const ALL = { plan: true, operations: 1, instances: 2, blobs: 3, histories: 3 };
const NONE = { plan: false, operations: 0, instances: 0, blobs: 0, histories: 0 };

describe('O-14 (4) purge', () => {
  it('takes ended runs past their retention only: histories, children first, bytes, rows; the audit log stays whole', async () => {
    await ended('old');
    stage.services.clock += DAY;
    await ended('young');
    await stage.run('open', 'running');
    stage.engine.instances.set('open', 'Running');
    stage.services.clock += 89 * DAY;
    expect(await stage.pass()).toEqual(NOTHING);
    stage.services.clock += 1;
    const before = await stage.services.ledger.events('old', 0, 1_000);
    stage.engine.calls.length = 0;
    expect(await stage.pass()).toEqual({ ...NOTHING, purged: 1 });
    expect(await left('old')).toEqual(NONE);
    expect(await left('young')).toEqual(ALL);
    expect(stage.engine.calls).toEqual(['purge old-lane', 'purge old-sleep', 'purge old']);
    const events = await stage.services.ledger.events('old', 0, 1_000);
    expect(events.slice(0, before.length)).toEqual(before);
    expect(events.at(-1)).toMatchObject({ type: 'run.purged', actor: 'janitor' });
    expect(await stage.services.ledger.getRun('old')).toMatchObject({ status: 'succeeded', goal: '', request: '{}' });
    expect((await stage.services.ledger.verifyAudit()).ok).toBe(true);
    expect(await stage.pass()).toEqual(NOTHING);
  });

  it('takes twenty runs a pass, oldest first, and the rest in the next', async () => {
    for (let i = 0; i < 23; i += 1) {
      await ended(`r${String(i).padStart(2, '0')}`);
      stage.services.clock += 1;
    }
    stage.services.clock += 91 * DAY;
    expect(await stage.pass()).toEqual({ ...NOTHING, purged: 20 });
    expect(await left('r19')).toEqual(NONE);
    expect(await left('r20')).toEqual(ALL);
    expect(await stage.pass()).toEqual({ ...NOTHING, purged: 3 });
  });

  it('a crash at any point is taken up by the next pass', async () => {
    for (const at of ['purge old-sleep', 'purge old', 'remove', 'purgeRun']) {
      stage = await janitorStage();
      await ended('old');
      stage.services.clock += 91 * DAY;
      const { engine, services } = stage;
      const { ledger, store } = services;
      const crash = (here: string): void => {
        if (here === at) throw new Error('the process died');
      };
      engine.before = (verb, id) => crash(`${verb} ${id}`);
      const [remove, purgeRun] = [store.remove.bind(store), ledger.purgeRun.bind(ledger)];
      let removed = 0;
      store.remove = async (name) => ((removed += 1) > 1 ? crash('remove') : undefined, remove(name));
      ledger.purgeRun = async (runId, now) => (crash('purgeRun'), purgeRun(runId, now));
      expect(await stage.pass()).toEqual({ ...NOTHING, failed: 1 });
      expect(await left('old')).toMatchObject({ plan: true, operations: 1, instances: 2 });
      engine.before = () => undefined;
      Object.assign(store, { remove });
      ledger.purgeRun = purgeRun;
      expect(await stage.pass()).toEqual({ ...NOTHING, purged: 1 });
      expect(await left('old')).toEqual(NONE);
    }
  });

  it('an instance that still lives is terminated first and purged in a later pass', async () => {
    await ended('old');
    stage.engine.instances.set('old', 'Suspended');
    stage.services.clock += 91 * DAY;
    expect(await stage.pass()).toEqual({ ...NOTHING, terminated: 1 });
    expect(await left('old')).toEqual(ALL);
    expect(await stage.pass()).toEqual({ ...NOTHING, purged: 1 });
  });

  it('a child that is not closed keeps its run until it is', async () => {
    await ended('old');
    await stage.run('old2', 'running');
    const child = await stage.child('old2', 'lane');
    stage.engine.instances.set(child, 'Running');
    await stage.end('old2', 'failed');
    stage.services.clock += 91 * DAY;
    stage.engine.before = (verb) => {
      if (verb === 'terminate') throw new Error('503');
    };
    expect(await stage.pass()).toEqual({ ...NOTHING, purged: 1, failed: 1 });
    expect(await left('old2')).toMatchObject({ instances: 1, histories: 1 });
    stage.engine.before = () => undefined;
    expect(await stage.pass()).toEqual({ ...NOTHING, closed: 1, terminated: 1, purged: 1 });
    expect(await left('old2')).toEqual(NONE);
  });

  it('bytes of somebody else are never removed, whatever a row says', async () => {
    await ended('old');
    const foreign = 'local/uploads/alice/secret';
    await stage.services.store.put(foreign, new Uint8Array(1), 'text/csv', sha256Hex(new Uint8Array(1)));
    const { ledger } = stage.services;
    const names = ledger.blobNamesOf.bind(ledger);
    ledger.blobNamesOf = async (runId) => [...(await names(runId)), foreign];
    stage.services.clock += 91 * DAY;
    expect(await stage.pass()).toEqual({ ...NOTHING, failed: 1 });
    expect(stage.services.store.blobs.has(foreign)).toBe(true);
    expect(await left('old')).toEqual(ALL);
  });

  it('two janitors at once purge a run once', async () => {
    await ended('old');
    stage.services.clock += 91 * DAY;
    const reports = await Promise.all([stage.pass(), stage.pass()]);
    expect(reports.reduce((sum, { purged }) => sum + purged, 0)).toBe(1);
    expect((await stage.audited('old')).filter((type) => type === 'run.purged')).toHaveLength(1);
    expect(await left('old')).toEqual(NONE);
  });

  it('a pass that takes too long stops taking up runs', async () => {
    for (const runId of ['a', 'b', 'c']) await ended(runId);
    stage.services.clock += 91 * DAY;
    stage.engine.before = (verb, id) => {
      if (verb === 'purge' && id === 'a') stage.services.clock += 5 * MINUTE;
    };
    expect(await stage.pass()).toEqual({ ...NOTHING, purged: 1 });
    expect(await left('b')).toEqual(ALL);
    expect(await stage.pass()).toEqual({ ...NOTHING, purged: 2 });
  });
});
