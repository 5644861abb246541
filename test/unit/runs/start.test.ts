import { beforeEach, describe, expect, it } from 'vitest';
import { startRun } from '../../../src/runs/start.ts';
import type { Engine } from '../../../src/runs/engine.ts';
import type { JsonValue } from '../../../src/plan/types.ts';
import { alice, drive } from '../../support/services/driveRun.ts';
import { notingEngine, testServices, type TestServices } from '../../support/services/testServices.ts';
import { testTool } from '../../support/services/testTools.ts';

const PLAN = { nodes: [{ id: 'a', tool: 'test.first' }] };
let services: TestServices;
let effects: TestServices;
beforeEach(async () => {
  services = await testServices([testTool('first', async () => 1)]);
  effects = await testServices([
    testTool('first', async () => 1),
    testTool('publish', async () => 1, {
      effect: 'publishes',
      idempotency: 'findable',
      probe: async () => ({}),
      compensate: 'irreversible',
    } as never),
  ]);
});
const start = (body: unknown, key: string | null, engine: Engine, on = services) =>
  startRun(on, engine, alice, { body: body as JsonValue, key, origin: 'http://localhost:7071' });

describe('starting a run', () => {
  it('a crash between ledger row and instance start: the repeated request with the same key starts it, once', async () => {
    const broken: Engine = { ...notingEngine(), start: () => Promise.reject(new Error('the process died here')) };
    await expect(start({ plan: PLAN }, 'k1', broken)).rejects.toThrow('died');
    const engine = notingEngine();
    const first = await start({ plan: PLAN }, 'k1', engine);
    const second = await start({ plan: PLAN }, 'k1', engine);
    expect(second.runId).toBe(first.runId);
    expect(new Set(engine.started)).toEqual(new Set([first.runId]));
    expect((await services.ledger.listRuns('local', { limit: 10, cursor: null })).items).toHaveLength(1);
  });

  it('O-07 a finished run is answered, never started again', async () => {
    const engine = notingEngine();
    const { runId } = await start({ plan: PLAN }, 'k2', engine);
    await drive(services, runId);
    const again = await start({ plan: PLAN }, 'k2', engine);
    expect(again).toMatchObject({ runId, status: 'succeeded' });
    expect(engine.started).toEqual([runId]);
  });

  it('one key with another body is a conflict; the order of members makes no other body', async () => {
    const engine = notingEngine();
    await start({ goal: 'g', plan: PLAN }, 'k3', engine);
    await expect(start({ goal: 'h', plan: PLAN }, 'k3', engine)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      status: 409,
    });
    await expect(start({ plan: PLAN, goal: 'g' }, 'k3', engine)).resolves.toBeDefined();
  });

  it('a refused plan leaves nothing behind', async () => {
    const engine = notingEngine();
    await expect(start({ plan: { nodes: [{ id: 'a', tool: 'test.none' }] } }, null, engine)).rejects.toMatchObject({
      code: 'PLAN_INVALID',
    });
    expect(engine.started).toEqual([]);
    expect((await services.ledger.listRuns('local', { limit: 10, cursor: null })).items).toEqual([]);
  });

  it('an effect outside `allow` is OUTSIDE_REQUEST with the place, nothing stored; asking for it lets it through', async () => {
    const plan = {
      nodes: [
        { id: 'a', tool: 'test.first' },
        { id: 'p', tool: 'test.publish', dependsOn: ['a'] },
      ],
    };
    const engine = notingEngine();
    await expect(start({ plan }, null, engine, effects)).rejects.toMatchObject({
      code: 'PLAN_INVALID',
      findings: [expect.objectContaining({ code: 'OUTSIDE_REQUEST', path: expect.stringMatching(/^\/nodes\/1/) })],
    });
    expect((await effects.ledger.listRuns('local', { limit: 10, cursor: null })).items).toEqual([]);
    await expect(
      start({ plan, allow: { effects: ['none', 'publishes'] } }, null, engine, effects),
    ).resolves.toBeDefined();
  });

  it('SOURCE_REQUIRED: outside development no source is taken silently', async () => {
    const { allTools } = await import('../../../src/tools/index.ts');
    const production = await testServices(allTools);
    Object.assign(production, { settings: { ...production.settings, development: false } });
    const plan = { nodes: [{ id: 'r', tool: 'gis.readRainfall' }] };
    await expect(start({ plan }, null, notingEngine(), production)).rejects.toMatchObject({
      findings: [expect.objectContaining({ code: 'SOURCE_REQUIRED' })],
    });
    const sample = { nodes: [{ id: 'r', tool: 'gis.readRainfall', args: { source: 'sample' } }] };
    await expect(start({ plan: sample }, null, notingEngine(), production)).rejects.toMatchObject({
      findings: [expect.objectContaining({ code: 'SOURCE_REQUIRED' })],
    });
  });
});
