import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitize, type Sink } from '../../../src/net/sanitize.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
);
const anySink = fc.constantFrom<Sink>('log', 'prompt', 'stream', 'terminal');

describe('sanitize, whatever comes', () => {
  it('lets nothing through that steers or hides, and keeps the bound', () => {
    fc.assert(
      fc.property(anyText, anySink, fc.integer({ min: 0, max: 300 }), (text, sink, max) => {
        const clean = sanitize(text, sink, max);
        expect(clean.length).toBeLessThanOrEqual(max);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/\p{Cf}/u);
        expect(clean.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
        if (sink === 'log' || sink === 'stream') expect(clean).not.toMatch(/[\n\t\u2028\u2029]/);
      }),
      { numRuns: 500 },
    );
  });

  it('O-40 a secret is masked wherever it stands and whatever invisible is strewn into its name', () => {
    const invisible = fc.constantFrom('', '\u200b', '\u202e', '\u00ad', '\u0000', '\u001b[1m', '\ufe0f', '\u{e0041}');
    const name = fc.constantFrom('token', 'sig', 'code', 'AccountKey', 'password', 'client_secret', 'X-Api-Key');
    const strewn = fc
      .tuple(name, fc.array(invisible, { minLength: 20, maxLength: 20 }))
      .map(([word, marks]) => Array.from(word, (letter, i) => letter + (marks[i] ?? '')).join(''));
    fc.assert(
      fc.property(anyText, strewn, anyText, anySink, (before, secretName, after, sink) => {
        const text = `${before.replaceAll('\u001b', '')}?${secretName}=Canary12345 ${after}`;
        expect(sanitize(text, sink, 5_000)).not.toContain('Canary12345');
      }),
      { numRuns: 500 },
    );
  });
});
