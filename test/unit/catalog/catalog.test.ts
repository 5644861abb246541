import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import { defineTool } from '../../../src/catalog/defineTool.ts';
import { describePattern, describePort, describeType, fits, matches } from '../../../src/catalog/matching.ts';
import { parseSource } from '../../../src/catalog/source.ts';
import type { EffectfulTool, ToolDefinition } from '../../../src/catalog/tool.ts';
import { base, gisTools, input, json, output } from '../../support/catalog/gisTools.ts';
import { features, fixed, observations, raster } from '../../support/catalog/types.ts';

const simple = (name: string, changes: Partial<ToolDefinition> = {}): ToolDefinition =>
  defineTool({
    ...base(name),
    input: z.strictObject({ n: z.number().default(1) }),
    ports: { inputs: {}, outputs: { value: output(json({})) } },
    types: fixed({ value: json({}) }),
    ...changes,
  } as ToolDefinition);

describe('O-29.1 tool lookup is exact', () => {
  const catalog = createCatalog([simple('raster.clip'), simple('raster.mosaic')]);

  it.each([
    'Raster.Clip',
    'raster.clip ',
    ' raster.clip',
    'raster.Clip',
    '',
    'toString',
    'constructor',
    '__proto__',
    'raster',
    'raster.clip\u200b',
  ])('finds nothing under %j', (name) => {
    expect(catalog.get(name)).toBeUndefined();
    expect(catalog.has(name)).toBe(false);
    expect(catalog.describe(name)).toBeUndefined();
  });

  it('finds the tool under its name and lists all by name', () => {
    expect(catalog.get('raster.clip')?.name).toBe('raster.clip');
    expect(
      createCatalog([simple('b.b'), simple('a.a')])
        .list()
        .map(({ name }) => name),
    ).toEqual(['a.a', 'b.b']);
  });

  it('refuses two tools of one name', () => {
    expect(() => createCatalog([simple('a.a'), simple('a.a')])).toThrow(/twice/);
  });
});

describe('catalog digest', () => {
  const digestOf = (...tools: readonly ToolDefinition[]) => createCatalog(tools).digest;

  it('does not depend on the order of tools', () => {
    expect(digestOf(simple('a.a'), simple('b.b'))).toBe(digestOf(simple('b.b'), simple('a.a')));
    expect(digestOf(simple('a.a'))).toMatch(/^[0-9a-f]{64}$/);
  });

  it('changes with everything that a plan was validated against', () => {
    const digests = [
      digestOf(simple('a.a')),
      digestOf(simple('a.b')),
      digestOf(simple('a.a', { version: '1.0.1' })),
      digestOf(simple('a.a', { input: z.strictObject({ n: z.number().default(2) }) })),
      digestOf(simple('a.a', { effect: 'temporary' })),
      digestOf(simple('a.a', { limits: { timeoutSeconds: 61, maxOutputBytes: 1_000_000, memoryMb: 256 } })),
      digestOf(simple('a.a', { retry: { maxAttempts: 4 } })),
      digestOf(simple('a.a', { cost: { cents: 2, seconds: 5 } })),
      digestOf(simple('a.a', { permission: 'tool:other' })),
      digestOf(
        simple('a.a', {
          ports: { inputs: { x: input(true, { kind: 'raster' }) }, outputs: { value: output(json({})) } },
        }),
      ),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe('definitions', () => {
  it.each([
    ['a name without domain', { name: 'clip' }],
    ['a name with a space', { name: 'a.b c' }],
    ['a version that is none', { version: '1' }],
    ['no attempt', { retry: { maxAttempts: 0 } }],
    ['half an attempt', { retry: { maxAttempts: 1.5 } }],
    ['no time', { limits: { timeoutSeconds: 0, maxOutputBytes: 1, memoryMb: 1 } }],
    ['a cost that is no number', { cost: { cents: Number.NaN, seconds: 1 } }],
    ['no output', { ports: { inputs: {}, outputs: {} } }],
    ['an effect without a way to undo it', { effect: 'publishes' }],
    ['a way to undo what has no effect', { compensate: { kind: 'irreversible' } }],
  ])('refuses %s', (_what, changes) => {
    expect(() => simple('a.a', changes as Partial<ToolDefinition>)).toThrow(TypeError);
  });

  it('asks of a tool with an effect, by its type, how it is recognised, probed and undone', () => {
    // @ts-expect-error probe, idempotency and compensate are missing
    const incomplete: EffectfulTool<unknown> = { effect: 'publishes' };
    expect(incomplete.effect).toBe('publishes');
    const tool = simple('a.a', {
      effect: 'publishes',
      idempotency: 'findable',
      probe: () => Promise.resolve({ state: 'notFound' }),
      compensate: { kind: 'tool', tool: 'a.undo' },
    });
    expect(createCatalog([tool]).describe('a.a')).toMatchObject({ effect: 'publishes', idempotency: 'findable' });
  });

  it('describes every tool as JSON that JSON carries', () => {
    const catalog = createCatalog(gisTools);
    for (const { name } of gisTools) {
      const described = catalog.describe(name);
      expect(JSON.parse(JSON.stringify(described))).toEqual(described);
      expect(described?.input['type']).toBe('object');
      expect(described?.input['additionalProperties']).toBe(false);
    }
  });
});

describe('port types', () => {
  it('fit by kind, role and validated', () => {
    expect(matches({ kind: 'observations' }, observations(false))).toBe(true);
    expect(matches({ kind: 'observations', validated: true }, observations(false))).toBe(false);
    expect(matches({ kind: 'observations', validated: true }, observations(true))).toBe(true);
    expect(matches({ kind: 'raster', role: 'rain' }, raster('terrain', 'm'))).toBe(false);
    expect(matches({ kind: 'raster' }, raster('terrain', 'm'))).toBe(true);
    expect(matches({ kind: 'features', role: 'result' }, features('assets'))).toBe(false);
    expect(matches({ kind: 'features', geometry: 'point' }, features('assets'))).toBe(true);
    expect(matches({ kind: 'features', geometry: 'point' }, { ...features('assets'), geometry: 'line' })).toBe(false);
    expect(matches({ kind: 'json' }, raster('rain', 'mm'))).toBe(false);
  });

  it('are told apart in words', () => {
    const port = input(true, { kind: 'features', role: 'assets' }, { kind: 'raster', role: 'rain' });
    expect(fits(port, features('zones'))).toBe(false);
    expect(describePort(port)).toBe('features (assets) or raster (rain)');
    expect(describePattern({ kind: 'observations', validated: true })).toBe('observations (validated)');
    expect(describeType(observations(false))).toBe('observations (not validated)');
    expect(describeType(json({}))).toBe('json');
  });
});

describe('sources', () => {
  it.each([
    ['sample', { kind: 'sample' }],
    ['weather-service', { kind: 'connection', name: 'weather-service' }],
    [{ upload: 'a'.repeat(64) }, { kind: 'upload', sha256: 'a'.repeat(64) }],
  ])('reads %j', (value, spec) => {
    expect(parseSource(value)).toEqual(spec);
  });
  it.each([
    '',
    'https://x',
    'a/b',
    '../a',
    'C:\\x',
    null,
    5,
    [],
    {},
    { upload: 'A'.repeat(64) },
    { upload: 'a'.repeat(63) },
    { upload: 'a'.repeat(64), name: 'x' },
  ])('refuses %j', (value) => {
    expect(parseSource(value)).toBeUndefined();
  });
});
