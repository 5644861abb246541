import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import { defineTool } from '../../../src/catalog/defineTool.ts';
import { endpointIn } from '../../../src/validation/endpoints.ts';
import { accepted, alice, brief, refused } from '../../support/catalog/context.ts';
import { base, gisTools, input, json, output } from '../../support/catalog/gisTools.ts';
import { fixed } from '../../support/catalog/types.ts';

const publishLayer = defineTool({
  ...base('gis.publishLayer'),
  input: z.strictObject({ name: z.string().max(100) }),
  effect: 'publishes',
  idempotency: 'findable',
  probe: () => Promise.resolve({ state: 'notFound' }),
  compensate: { kind: 'irreversible' },
  ports: { inputs: { layer: input(true, { kind: 'features' }) }, outputs: { layer: output(json({})) } },
  types: fixed({ layer: json({}) }),
});
const catalog = createCatalog([...gisTools, publishLayer]);
const publishing = {
  nodes: [
    { id: 'assets', tool: 'gis.loadAssets' },
    { id: 'p', tool: 'gis.publishLayer', dependsOn: ['assets'], args: { name: 'x' } },
  ],
};
const ALLOWING = { effects: ['none', 'temporary', 'publishes'] as const, targets: [], egress: [] };

describe('request scope', () => {
  it('asking for an analysis never yields a publication', () => {
    const findings = refused(publishing, { catalog });
    expect(brief(findings)).toEqual(['OUTSIDE_REQUEST /nodes/1/tool']);
    expect(findings[0]?.hint).toContain('"publishes"');
  });

  it('is opened by the person who asks, not by the plan', () => {
    expect(
      accepted(publishing, { catalog, allow: { ...ALLOWING, effects: [...ALLOWING.effects] } }).plan.nodes,
    ).toHaveLength(2);
    expect(brief(refused({ ...publishing, allow: ALLOWING }, { catalog }))).toContain('UNKNOWN_FIELD /allow');
  });

  it('refuses everything when nothing is allowed', () => {
    const findings = refused(
      { nodes: [{ id: 'a', tool: 'gis.loadTerrain' }] },
      { allow: { effects: [], targets: [], egress: [] } },
    );
    expect(brief(findings)).toEqual(['OUTSIDE_REQUEST /nodes/0/tool']);
  });

  it('puts what cannot be undone last', () => {
    const allow = { ...ALLOWING, effects: [...ALLOWING.effects] };
    const after = {
      id: 'z',
      tool: 'core.format',
      args: { template: 'x', values: { v: { ref: 'p.layer' } } },
      dependsOn: ['p'],
    };
    const findings = refused({ nodes: [...publishing.nodes, after] }, { catalog, allow });
    expect(brief(findings)).toEqual(['IRREVERSIBLE_NOT_LAST /nodes/1']);
    expect(findings[0]?.message).toContain('"z"');
    const beside = { id: 'z', tool: 'gis.loadTerrain' };
    expect(accepted({ nodes: [...publishing.nodes, beside] }, { catalog, allow }).findings).toEqual([]);
  });

  it('O-29.3 never lists a tool that the caller may not use', () => {
    const [finding] = refused({ nodes: [{ id: 'a', tool: 'gis.publishLayr' }] }, { catalog });
    expect(finding?.hint).not.toContain('publish');
  });
});

describe('authorization', () => {
  const plan = {
    nodes: [
      { id: 'a', tool: 'gis.loadTerrain' },
      { id: 'b', tool: 'gis.loadTerrain' },
    ],
  };

  it('is decided for every node, and keeps the deciding policies', () => {
    const findings = refused(plan, { principal: { ...alice, roles: ['auditor'] } });
    expect(brief(findings)).toEqual(['NOT_AUTHORIZED /nodes/0/tool', 'NOT_AUTHORIZED /nodes/1/tool']);
    expect(findings[0]?.message).toContain('no-policy-permits');
  });

  it('takes an engine that throws, or answers something else than true, as a no', () => {
    const throwing = refused(plan, {
      decide: () => {
        throw new Error('down');
      },
    });
    expect(throwing.map(({ code }) => code)).toEqual(['NOT_AUTHORIZED', 'NOT_AUTHORIZED']);
    const odd = refused(plan, { decide: () => ({ allow: 'yes' as unknown as boolean, reasons: [] }) });
    expect(odd).toHaveLength(2);
  });

  it('agents have no effects even where the request allows them', () => {
    const findings = refused(publishing, {
      catalog,
      allow: { ...ALLOWING, effects: [...ALLOWING.effects] },
      principal: { ...alice, kind: 'agent' },
    });
    expect(brief(findings)).toEqual(['NOT_AUTHORIZED /nodes/1/tool']);
  });
});

describe('sources', () => {
  const plan = (source: unknown) => ({ nodes: [{ id: 'a', tool: 'gis.loadTerrain', args: { source } }] });
  const sha = 'ab'.repeat(32);
  const uploads = new Map([[sha, { mediaType: 'image/tiff', name: 'dem.tif' }]]);

  it('are uploads that the caller may read and connections that are configured', () => {
    expect(accepted(plan({ upload: sha }), { uploads }).findings).toEqual([]);
    expect(accepted(plan('weather'), { connections: new Set(['weather']) }).findings).toEqual([]);
    expect(
      accepted({ inputs: { dem: { upload: sha } }, ...plan({ ref: '$inputs.dem' }) }, { uploads }).findings,
    ).toEqual([]);
  });

  it.each([
    [{ upload: sha }, 'INVALID_ARGUMENT'],
    [{ upload: sha.toUpperCase() }, 'INVALID_ARGUMENT'],
    [{ upload: 'x' }, 'INVALID_ARGUMENT'],
    [{ upload: sha, name: 'x' }, 'INVALID_ARGUMENT'],
    ['weather', 'INVALID_ARGUMENT'],
    ['Sample', 'INVALID_ARGUMENT'],
    ['https://evil.example/data.csv', 'ENDPOINT_IN_PLAN'],
    ['evil.example', 'ENDPOINT_IN_PLAN'],
    ['evil.example:8080', 'ENDPOINT_IN_PLAN'],
    ['/etc/passwd', 'ENDPOINT_IN_PLAN'],
    ['\\\\server\\share', 'ENDPOINT_IN_PLAN'],
    ['C:\\data\\x.tif', 'ENDPOINT_IN_PLAN'],
    [{ upload: '../../secrets' }, 'ENDPOINT_IN_PLAN'],
  ])('refuse %j', (source, code) => {
    const codes = refused(plan(source)).map((finding) => finding.code);
    expect(codes).toContain(code);
  });

  it('never come from the result of a node', () => {
    const nodes = [
      { id: 'r', tool: 'gis.readRainfall' },
      { id: 'a', tool: 'gis.loadTerrain', dependsOn: ['r'], args: { source: { ref: 'r.report' } } },
    ];
    expect(brief(refused({ nodes }))).toContain('INVALID_ARGUMENT /nodes/1/args/source');
  });

  it('are checked behind an input too', () => {
    expect(brief(refused({ inputs: { dem: { upload: sha } }, ...plan({ ref: '$inputs.dem' }) }))).toEqual([
      'INVALID_ARGUMENT /nodes/0/args/source',
    ]);
    expect(brief(refused({ inputs: { dem: 'https://x.example/' }, ...plan({ ref: '$inputs.dem' }) }))).toContain(
      'ENDPOINT_IN_PLAN /inputs/dem',
    );
  });
});

describe('no endpoint, host, path or secret from a plan', () => {
  it.each([
    'https://x.example/a',
    'see http://10.0.0.1/ now',
    'FTP://x',
    's3://bucket/key',
    'javascript:alert(1)',
    ' data:text/html,x',
    'file:/etc/passwd',
    '//x.example/a',
    '\\\\host\\share',
    'C:\\temp',
    'd:/temp',
    '/etc/passwd',
    '~/secrets',
    '../../etc/passwd',
    'a/../../b',
    'localhost',
    '127.0.0.1',
    'localhost:7071',
    '10.0.0.8:443',
    'ｈttps://x',
    'ht\u200btps://x',
    'Bearer abcdefghijklmnop1234',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc',
    '-----BEGIN PRIVATE KEY-----',
    'AKIAABCDEFGHIJKLMNOP',
    'sv=2022&sig=abcdefghijklmnop',
    'AccountKey=abcdefghijklmnop==',
    'password = hunter2hunter2',
    'sk-abcdefghijklmnopqrstuvwx',
    'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4gH6jK8m',
  ])('finds %j', (text) => {
    expect(endpointIn(text)).toBeDefined();
  });

  it.each([
    'Rain of the last 24 h',
    'EPSG:4326',
    '30 mm / 24 h',
    'mm/day',
    'a: b',
    'Source: ARPA, 2026',
    'rain {value} of {total}',
    'Zürich–Genève',
    'Europe/Rome',
    '+01:00',
    '2026-01-05T10:15:00Z',
    'stations.csv',
    'ab'.repeat(32),
    'https',
    'and/or',
    '1.2.3',
    'the code is secret',
    'token of thanks',
    '',
    'x'.repeat(60),
  ])('lets %j through', (text) => {
    expect(endpointIn(text)).toBeUndefined();
  });

  it('looks everywhere in arguments, inputs and defaults, and into keys', () => {
    const findings = refused({
      inputs: { a: { deep: ['ok', 'http://x.example'] } },
      nodes: [
        {
          id: 'a',
          tool: 'core.format',
          args: {
            template: 'x',
            values: {
              b: [{ c: 'http://x.example' }],
              'http://k.example': 1,
              d: { ref: '$inputs.a', default: 'ftp://x' },
              e: { literal: 'ftp://x' },
            },
          },
        },
      ],
      outputs: { text: { ref: 'a.text', default: 'http://x.example' } },
    });
    expect(brief(findings)).toEqual([
      'ENDPOINT_IN_PLAN /inputs/a/deep/1',
      'ENDPOINT_IN_PLAN /nodes/0/args/values/b/0/c',
      'ENDPOINT_IN_PLAN /nodes/0/args/values/d/default',
      'ENDPOINT_IN_PLAN /nodes/0/args/values/e/literal',
      'ENDPOINT_IN_PLAN /nodes/0/args/values/http:~1~1k.example',
      'ENDPOINT_IN_PLAN /outputs/text/default',
    ]);
  });

  it('takes no longer than linear time on hostile texts', () => {
    const texts = [
      'a'.repeat(250_000),
      'eyJ-'.repeat(60_000),
      'sig '.repeat(60_000),
      ' '.repeat(250_000),
      'bearer '.repeat(35_000),
      '-----BEGIN '.repeat(20_000),
      'a.'.repeat(120_000),
    ];
    const begin = performance.now();
    for (const text of texts) endpointIn(text);
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});
