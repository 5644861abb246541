import { describe, expect, it } from 'vitest';
import { fillDefaults } from '../../../src/validation/defaults.ts';
import { accepted, brief, contextWith, refused } from '../../support/catalog/context.ts';

const exposure = (args: Record<string, unknown>) => ({
  nodes: [
    { id: 'rain', tool: 'gis.readRainfall' },
    { id: 'assets', tool: 'gis.loadAssets' },
    { id: 'e', tool: 'gis.overlayExposure', dependsOn: ['rain', 'assets'], args },
  ],
});
const one = (tool: string, args: Record<string, unknown>, inputs: Record<string, unknown> = {}) => ({
  inputs,
  nodes: [{ id: 'a', tool, args }],
});

describe('O-29 tools that do not exist', () => {
  it.each(['Gis.LoadTerrain', 'gis.loadTerrain ', '', 'toString', 'gis', 'gis.loadterrain'])(
    'refuses the tool %j',
    (tool) => {
      expect(brief(refused(one(tool, {})))).toEqual(['UNKNOWN_TOOL /nodes/0/tool']);
    },
  );

  it('hints at the nearest name, or lists those the caller may use', () => {
    expect(refused(one('gis.loadTerain', {}))[0]?.hint).toBe('did you mean "gis.loadTerrain"?');
    expect(refused(one('layer.delete', {}))[0]?.hint).toMatch(/^tools: core\.format, gis\.computeRisk/);
    const nobody = { ...contextWith().principal, roles: [] };
    expect(refused(one('layer.delete', {}), { principal: nobody })[0]?.hint).toBeUndefined();
  });
});

describe('O-29.2 arguments against the strict schema', () => {
  it.each([
    [{ thresholdMm: 30, force: true }, ['UNKNOWN_ARGUMENT /nodes/2/args/force']],
    [{ thresholdMM: 30, thresholdMm: 30 }, ['UNKNOWN_ARGUMENT /nodes/2/args/thresholdMM']],
    [{ thresholdMm: 'x' }, ['INVALID_ARGUMENT /nodes/2/args/thresholdMm']],
    [{ threshold: { mm: 30, basis: 'alertZones' } }, ['INVALID_ARGUMENT /nodes/2/args/threshold/basis']],
    [{ threshold: { mm: 30, basis: 'fixed', color: 1 } }, ['UNKNOWN_ARGUMENT /nodes/2/args/threshold/color']],
    [{ threshold: { basis: 'fixed' } }, ['MISSING_ARGUMENT /nodes/2/args/threshold/mm']],
    [{}, ['INVALID_ARGUMENT /nodes/2/args']],
    [{ threshold: { basis: 'fixed', mm: 1 }, thresholdMm: 1 }, ['INVALID_ARGUMENT /nodes/2/args']],
  ])('%j', (args, expected) => {
    expect(brief(refused(exposure(args)))).toEqual(expected);
  });

  it('names a required argument that is missing', () => {
    const findings = refused(one('core.format', { template: 'x' }));
    expect(brief(findings)).toEqual(['MISSING_ARGUMENT /nodes/0/args/values']);
    expect(findings[0]?.message).toContain('core.format');
  });

  it('O-34 treats parameters called like built-in properties as unknown', () => {
    expect(brief(refused(one('gis.loadTerrain', { constructor: 1, toString: 2 })))).toEqual([
      'UNKNOWN_ARGUMENT /nodes/0/args/constructor',
      'UNKNOWN_ARGUMENT /nodes/0/args/toString',
    ]);
  });
});

describe('O-30 numbers', () => {
  it.each(['12', null, '', [], true, 1e308, 0, -5])('refuses %j as a threshold and never coerces it', (thresholdMm) => {
    expect(refused(exposure({ thresholdMm })).map(({ code, path }) => [code, path])).toContainEqual([
      'INVALID_ARGUMENT',
      '/nodes/2/args/thresholdMm',
    ]);
  });

  it('O-30.3 an optional argument takes the catalog default and the plan shows it', () => {
    const { plan } = accepted({
      nodes: [
        { id: 'rain', tool: 'gis.readRainfall' },
        { id: 's', tool: 'gis.interpolate', dependsOn: ['rain'] },
      ],
    });
    expect(plan.nodes[1]?.args).toMatchObject({ method: 'idw', power: 2 });
  });

  it('O-30.2 refuses an integer that is none', () => {
    const plan = (minStations: number) => ({
      nodes: [
        { id: 'r', tool: 'gis.readRainfall' },
        { id: 'v', tool: 'gis.validateObservations', dependsOn: ['r'], args: { minStations } },
      ],
    });
    expect(brief(refused(plan(2.5)))).toEqual(['INVALID_ARGUMENT /nodes/1/args/minStations']);
    expect(new Set(brief(refused(plan(9007199254740992))))).toEqual(
      new Set(['INVALID_ARGUMENT /nodes/1/args/minStations']),
    );
  });
});

describe('defaults', () => {
  const schema = {
    properties: {
      a: { default: 1 },
      b: { type: 'object', properties: { c: { default: [2] }, d: {} } },
      constructor: { default: 3 },
    },
  };
  it('are written out where they are missing, also inside objects, and nothing that is given is changed', () => {
    expect(fillDefaults({ b: { d: 9 } }, schema)).toEqual({ a: 1, b: { c: [2], d: 9 }, constructor: 3 });
    expect(fillDefaults({ a: null, b: { ref: 'x.y' } }, schema)).toEqual({
      a: null,
      b: { ref: 'x.y' },
      constructor: 3,
    });
    expect(fillDefaults({ b: { literal: {} } }, schema)['b']).toEqual({ literal: {} });
    expect(fillDefaults({ b: 5 }, {})).toEqual({ b: 5 });
  });
});

describe('references inside arguments', () => {
  const withFormat = (values: unknown) => {
    const plan = exposure({ thresholdMm: 30 });
    return {
      ...plan,
      nodes: [
        ...plan.nodes,
        { id: 't', tool: 'core.format', dependsOn: ['e', 'rain'], args: { template: 'x', values } },
      ],
    };
  };

  it.each([
    [{ n: { ref: 'e.summary.total' } }],
    [{ n: { ref: 'e.summary.byClass.exceeds' } }],
    [{ n: [{ deep: { ref: 'rain.report.rows_total', default: 0 } }] }],
    [{ n: { literal: { ref: 'not a reference' } } }],
  ])('accepts %j', (values) => {
    expect(accepted(withFormat(values)).findings).toEqual([]);
  });

  it.each([
    [{ n: { ref: 'e.summary.totl' } }, 'UNKNOWN_OUTPUT_PATH /nodes/3/args/values/n/ref'],
    [{ n: { ref: 'e.summary.total.x' } }, 'UNKNOWN_OUTPUT_PATH /nodes/3/args/values/n/ref'],
    [{ n: { ref: 'e.summary.constructor' } }, 'UNKNOWN_OUTPUT_PATH /nodes/3/args/values/n/ref'],
    [{ n: { ref: 'e.features.type' } }, 'UNKNOWN_OUTPUT_PATH /nodes/3/args/values/n/ref'],
    [{ n: { ref: 'e.sumary' } }, 'UNKNOWN_OUTPUT /nodes/3/args/values/n/ref'],
    [{ n: { ref: 'e.toString' } }, 'UNKNOWN_OUTPUT /nodes/3/args/values/n/ref'],
    [{ n: { ref: 'x.summary' } }, 'UNKNOWN_NODE /nodes/3/args/values/n/ref'],
    [{ n: { ref: '$inputs.hours' } }, 'UNKNOWN_INPUT /nodes/3/args/values/n/ref'],
    [{ n: { ref: '$item.id' } }, 'ITEM_OUTSIDE_FOREACH /nodes/3/args/values/n/ref'],
    [{ n: { ref: '$index' } }, 'ITEM_OUTSIDE_FOREACH /nodes/3/args/values/n/ref'],
    [{ n: { ref: '$output.text' } }, 'INVALID_ARGUMENT /nodes/3/args/values/n/ref'],
    [{ n: { ref: 'nonsense' } }, 'INVALID_ARGUMENT /nodes/3/args/values/n/ref'],
    [{ n: { ref: 'e.summary', more: 1 } }, 'INVALID_ARGUMENT /nodes/3/args/values/n'],
    [{ n: { ref: 'e.features' } }, 'TYPE_MISMATCH /nodes/3/args/values/n'],
  ])('refuses %j', (values, finding) => {
    expect(brief(refused(withFormat(values)))).toEqual([finding]);
  });

  it('refuses a value of a type that the argument cannot have', () => {
    const plan = exposure({ thresholdMm: 30 });
    const nodes = [
      ...plan.nodes,
      { id: 't', tool: 'core.format', dependsOn: ['e'], args: { template: { ref: 'e.summary.total' }, values: {} } },
    ];
    expect(brief(refused({ nodes }))).toEqual(['TYPE_MISMATCH /nodes/3/args/template']);
  });

  it('does not expand strings that look like templates', () => {
    const { plan } = accepted(withFormat({ n: '${e.summary.total} {{ref}} $inputs.hours' }));
    expect(plan.nodes[3]?.args['values']).toEqual({ n: '${e.summary.total} {{ref}} $inputs.hours' });
  });

  it('points through literals at the value at fault', () => {
    expect(brief(refused(one('gis.loadTerrain', { crs: { literal: 5 } })))).toEqual([
      'INVALID_ARGUMENT /nodes/0/args/crs',
    ]);
    const nested = refused(exposure({ threshold: { literal: { basis: 'fixed', mm: 'x' } } }));
    expect(brief(nested)).toEqual(['INVALID_ARGUMENT /nodes/2/args/threshold/literal/mm']);
  });
});

describe('inputs', () => {
  const plan = (inputs: Record<string, unknown>, hours: unknown = { ref: '$inputs.hours' }) =>
    one('gis.readRainfall', { hours }, inputs);

  it('checks the value of an input where it is used', () => {
    expect(accepted(plan({ hours: 24 })).plan.inputs).toEqual({ hours: 24 });
    expect(brief(refused(plan({ hours: '24' })))).toEqual(['INVALID_ARGUMENT /nodes/0/args/hours']);
    expect(brief(refused(plan({ hours: -1 })))).toEqual(['INVALID_ARGUMENT /nodes/0/args/hours']);
  });

  it('the values of the request replace those of the plan, and enter the digest', () => {
    const own = accepted(plan({ hours: 24 }));
    const other = accepted(plan({ hours: 24 }), { inputs: { hours: 48 } });
    expect(other.plan.inputs).toEqual({ hours: 48 });
    expect(other.planDigest).not.toBe(own.planDigest);
    expect(other.planDigest).toBe(accepted(plan({ hours: 48 })).planDigest);
    expect(brief(refused(plan({ hours: 24 }), { inputs: { hours: '48' } }))).toEqual([
      'INVALID_ARGUMENT /nodes/0/args/hours',
    ]);
    expect(brief(refused(plan({ hours: 24 }), { inputs: { hour: 48 } }))).toEqual(['UNKNOWN_INPUT /inputs/hour']);
  });

  it.each([
    [{ type: 'number', min: 1, max: 72, default: 24 }, undefined],
    [{ type: 'number', min: 1, max: 72, default: 73 }, 'INVALID_FIELD /inputs/hours'],
    [{ type: 'number', enum: [6, 12, 24], default: 5 }, 'INVALID_FIELD /inputs/hours'],
    [{ type: 'number', default: '24' }, 'INVALID_FIELD /inputs/hours'],
    [{ type: 'number', default: 24, note: 'x' }, 'UNKNOWN_FIELD /inputs/hours/note'],
    [{ type: 'number', min: 'low', default: 24 }, 'INVALID_FIELD /inputs/hours/min'],
    [{ type: 'string' }, 'TYPE_MISMATCH /nodes/0/args/hours'],
    [{ ref: '$inputs.other' }, 'INVALID_FIELD /inputs/hours'],
  ])('declaration %j', (declaration, finding) => {
    if (finding === undefined) expect(accepted(plan({ hours: declaration })).findings).toEqual([]);
    else expect(brief(refused(plan({ hours: declaration })))).toContain(finding);
  });

  it('an input without a value is fine in a plan and missing at the start of a run', () => {
    expect(accepted(plan({ hours: { type: 'number' } })).findings).toEqual([]);
    expect(brief(refused(plan({ hours: { type: 'number' } }), { inputs: {} }))).toEqual([
      'MISSING_ARGUMENT /inputs/hours',
    ]);
    expect(accepted(plan({ hours: { type: 'number' } }), { inputs: { hours: 3 } }).plan.inputs).toEqual({
      hours: { type: 'number', default: 3 },
    });
  });

  it('times carry an offset', () => {
    const at = (value: string) =>
      one(
        'core.format',
        { template: 'x', values: { at: { ref: '$inputs.at' } } },
        { at: { type: 'time', default: value } },
      );
    expect(accepted(at('2026-01-05T10:15:00Z')).findings).toEqual([]);
    expect(brief(refused(at('2026-01-05T10:15:00')))).toEqual(['INVALID_FIELD /inputs/at']);
    expect(brief(refused(at('2026-13-05T10:15:00Z')))).toEqual(['INVALID_FIELD /inputs/at']);
  });
});
