import { describe, expect, it } from 'vitest';
import { formatTool } from '../../../src/tools/core/formatTool.ts';
import { formatTemplate } from '../../../src/tools/core/format.ts';
import { json, rejection, runTool } from '../toolRun.ts';
import { codeOf, messageOf } from '../rainfall/support.ts';

const format = (template: string, values: Record<string, string>): string =>
  formatTemplate(template, new Map(Object.entries(values)));

describe('core.format', () => {
  it('puts each value where it is named', () => {
    expect(format('{a} and {b}, {a} again', { a: '1', b: 'two' })).toBe('1 and two, 1 again');
  });

  it('data is never expanded a second time', () => {
    expect(format('{a}{b}', { a: '{b}', b: '{a}' })).toBe('{b}{a}');
    expect(format('{a}', { a: '{{b}} $& $1 {a}' })).toBe('{{b}} $& $1 {a}');
  });

  it('a value cannot complete a placeholder', () => {
    expect(format('{{{a}', { a: 'b}' })).toBe('{b}');
  });

  it('an unknown placeholder is refused with what there is', () => {
    expect(codeOf(() => format('{nope}', { a: '1' }))).toBe('INVALID_ARGUMENT');
    expect(messageOf(() => format('{nope}', { b: '1', a: '1' }))).toContain('only: a, b');
    expect(codeOf(() => format('{constructor}', {}))).toBe('INVALID_ARGUMENT');
    expect(codeOf(() => format('{__proto__}', {}))).toBe('nothing thrown');
  });

  it('braces that are no placeholder stay, doubled ones become one', () => {
    expect(format('{ a } {1x} {{a}} }', { a: '1' })).toBe('{ a } {1x} {a} }');
  });

  it('numbers, booleans and null as text', async () => {
    const values = { n: 1.5, t: true, z: null, s: 'x' };
    expect(json(await runTool(formatTool, { template: '{n}|{t}|{z}|{s}', values }, {}), 'text')).toBe('1.5|true||x');
  });

  it('a text that grows without bound is refused', async () => {
    const template = '{a}'.repeat(1000);
    expect(await rejection(runTool(formatTool, { template, values: { a: 'x'.repeat(1000) } }, {}))).toBe(
      'RESULT_TOO_LARGE',
    );
  });

  it.each([
    [{ template: '', values: {} }],
    [{ template: 'x', values: { 'a b': '1' } }],
    [{ template: 'x', values: { a: {} } }],
    [{ template: 'x' }],
  ])('its schema refuses %j', (args) => {
    expect(formatTool.input.safeParse(args).success).toBe(false);
  });
});
