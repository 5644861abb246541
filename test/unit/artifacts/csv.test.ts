import { describe, expect, it } from 'vitest';
import { quoteCsvCell } from '../../../src/artifacts/csv.ts';

describe('cells of CSV exports', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =cmd|x',
    '\u200b=1',
    '＝1',
    '=HYPERLINK("http://x")',
  ])('the text %j is no formula any more', (value) => {
    expect(quoteCsvCell(value)).toBe(`"'${value.replaceAll('"', '""')}"`);
  });

  it.each([
    [-12.5, '-12.5'],
    [0, '0'],
    [true, 'true'],
    [null, ''],
    ['', ''],
    ['Lugano', 'Lugano'],
    ['a-b', 'a-b'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
  ])('%j stays what it is', (value, cell) => {
    expect(quoteCsvCell(value)).toBe(cell);
  });
});
