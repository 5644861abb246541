import { describe, expect, it } from 'vitest';
import { inputValue, resolveArguments, valuesNeeded } from '../../../src/plan/resolveArguments.ts';
import type { JsonValue, PlanNode } from '../../../src/plan/types.ts';
import { catalog } from '../../support/catalog/context.ts';

const tool = (name: string) => {
  const found = catalog.get(name);
  if (found === undefined) throw new Error(name);
  return found;
};
const node = (name: string, args: Record<string, JsonValue>): PlanNode => ({
  id: 'n',
  tool: name,
  dependsOn: [],
  args,
});
const nothing = (): undefined => undefined;
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'no error';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('what a node gets when it runs', () => {
  it('splits ports, sources and arguments', () => {
    const rain = node('gis.readRainfall', { source: { upload: 'a'.repeat(64) }, hours: { ref: '$inputs.hours' } });
    expect(resolveArguments({ inputs: { hours: 24 }, nodes: [] }, rain, tool('gis.readRainfall'), nothing)).toEqual({
      args: { source: { upload: 'a'.repeat(64) }, hours: 24 },
      ports: new Map(),
      sources: new Map([['source', { kind: 'upload', sha256: 'a'.repeat(64) }]]),
    });
    const surface = node('gis.interpolate', { observations: { ref: 'v.observations' }, power: 2 });
    const resolved = resolveArguments({ inputs: {}, nodes: [] }, surface, tool('gis.interpolate'), nothing);
    expect(resolved.ports).toEqual(new Map([['observations', { nodeId: 'v', output: 'observations' }]]));
    expect(resolved.args).toEqual({ power: 2 });
  });

  it('reads values of completed nodes along their path, and says beforehand which', () => {
    const format = node('core.format', {
      template: 'x',
      values: {
        total: { ref: 'e.summary.total' },
        first: { ref: 'e.summary.rows.0' },
        again: { ref: 'b.value' },
        as: { literal: { ref: 'no.ref' } },
      },
    });
    expect(valuesNeeded(format, tool('core.format'))).toEqual([
      { nodeId: 'b', output: 'value' },
      { nodeId: 'e', output: 'summary' },
    ]);
    const values: Record<string, JsonValue> = {
      'e.summary': { total: 7, rows: [{ ref: 'looks.like' }] },
      'b.value': 1.5,
    };
    const resolved = resolveArguments(
      { inputs: {}, nodes: [] },
      format,
      tool('core.format'),
      (id, output) => values[`${id}.${output}`],
    );
    expect(resolved.args['values']).toEqual({
      total: 7,
      first: { ref: 'looks.like' },
      again: 1.5,
      as: { ref: 'no.ref' },
    });
  });

  it('takes the default of a reference only when there is no value', () => {
    const args = {
      template: 'x',
      values: { a: { ref: 'e.summary.gone', default: 0 }, b: { ref: 'e.summary.nil', default: 5 } },
    };
    const resolved = resolveArguments(
      { inputs: {}, nodes: [] },
      node('core.format', args),
      tool('core.format'),
      () => ({
        nil: null,
      }),
    );
    expect(resolved.args['values']).toEqual({ a: 0, b: null });
  });

  it('never invents a value', () => {
    const args = { template: 'x', values: { a: { ref: 'e.summary.total' } } };
    const run = () =>
      resolveArguments({ inputs: {}, nodes: [] }, node('core.format', args), tool('core.format'), nothing);
    expect(codeOf(run)).toBe('UPSTREAM_NOT_COMPLETED');
    const inherited = { template: 'x', values: { a: { ref: 'e.summary.constructor' } } };
    const other = () =>
      resolveArguments({ inputs: {}, nodes: [] }, node('core.format', inherited), tool('core.format'), () => ({}));
    expect(codeOf(other)).toBe('UPSTREAM_NOT_COMPLETED');
  });

  it.each([
    [node('gis.readRainfall', { source: 'https://x' })],
    [node('gis.readRainfall', {})],
    [node('gis.interpolate', { observations: 5 })],
    [node('gis.interpolate', { observations: { ref: '$inputs.x' } })],
    [node('core.format', { template: { ref: '$item' }, values: {} })],
  ])('refuses a stored node that validation would not have let through: %j', (stored) => {
    expect(codeOf(() => resolveArguments({ inputs: { x: 1 }, nodes: [] }, stored, tool(stored.tool), nothing))).toBe(
      'STATE_INVALID',
    );
  });

  it('reads inputs as literals or by their declaration', () => {
    expect(inputValue(5)).toBe(5);
    expect(inputValue({ type: 'number', default: 6 })).toBe(6);
    expect(inputValue({ type: 'number' })).toBeUndefined();
    expect(inputValue({ type: 'other', default: 6 })).toEqual({ type: 'other', default: 6 });
    expect(inputValue(null)).toBeNull();
  });
});
