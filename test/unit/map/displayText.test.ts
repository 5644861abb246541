import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayText, escapeXml } from '../../../src/tools/gis/map/displayText.ts';

describe('names from outside, fit for display', () => {
  it('makes bidi overrides and zero-width characters visible', () => {
    expect(displayText('abc\u202Egnp.exe')).toBe('abc[U+202E]gnp.exe');
    expect(displayText('pay\u200Bpal \uFEFFx\u2066y\u2069')).toBe('pay[U+200B]pal [U+FEFF]x[U+2066]y[U+2069]');
    expect(displayText('tag\u{E0041}')).toBe('tag[U+E0041]');
  });

  it('makes control characters visible and folds white space into one line', () => {
    expect(displayText('a\u0000b\u001B[31m')).toBe('a[U+0000]b[U+001B][31m');
    expect(displayText('  a\r\n\tb\u00A0 c ')).toBe('a b c');
    expect(displayText('line\u2028break')).toBe('line[U+2028]break');
  });

  it('replaces lone surrogates and drops piled-up marks', () => {
    expect(displayText('x\uD800y')).toBe('x\uFFFDy');
    expect(Array.from(displayText(`e${'\u0301'.repeat(500)}`)).length).toBe(4);
  });

  it('keeps real names as they are', () => {
    for (const name of [
      'Forlì-Cesena',
      'Zürich HB',
      'Λάρισα',
      '東京タワー',
      'مستشفى',
      '🏥 Ospedale',
      'O’Brien & Söhne <2>',
    ]) {
      expect(displayText(name)).toBe(name);
    }
  });

  it('cuts a name of a megabyte at 120 characters with an ellipsis, at once', () => {
    const before = performance.now();
    const text = displayText('Ponte '.repeat(200_000));
    expect(performance.now() - before).toBeLessThan(200);
    expect(Array.from(text).length).toBeLessThanOrEqual(120);
    expect(text.endsWith('…')).toBe(true);
    expect(displayText('🏥'.repeat(121), 10)).toBe(`${'🏥'.repeat(9)}…`);
  });

  it('never lets an invisible character through, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(displayText(text)).not.toMatch(/[\p{Cc}\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/u);
      }),
      { numRuns: 500 },
    );
  });
});

describe('escaping for XML and HTML', () => {
  it('leaves no character that opens anything', () => {
    expect(escapeXml(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
  });

  it('replaces what XML 1.0 forbids', () => {
    expect(escapeXml('a\u0000b\uFFFEc\uDC00')).toBe('a\uFFFDb\uFFFDc\uFFFD');
  });
});
