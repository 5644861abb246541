import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTemplate } from '../../../src/tools/core/format.ts';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);

describe('core.format', () => {
  it('is the plain concatenation of texts and values, whatever the values contain', () => {
    const part = fc.record({ text: fc.string().map((text) => text.replace(/[{}]/g, '')), name });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), fc.dictionary(name, fc.string()), (parts, extra) => {
        const values = new Map([
          ...Object.entries(extra),
          ...parts.map((one) => [one.name, `{${one.name}}$&{{${one.text}`] as const),
        ]);
        const template = parts.map((one) => `${one.text}{${one.name}}`).join('');
        const wanted = parts.map((one) => `${one.text}${values.get(one.name) ?? ''}`).join('');
        expect(formatTemplate(template, values)).toBe(wanted);
      }),
    );
  });
});
