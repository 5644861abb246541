import { describe, expect, it } from 'vitest';
import { readNumber } from '../../../src/tools/upload/numbers.ts';
import { detectDecimal, detectDialect, splitLine } from '../../../src/tools/upload/csvDialect.ts';
import { decodeText } from '../../../src/tools/upload/decodeText.ts';

describe('numbers in cells', () => {
  it.each([
    ['1.5', '.', 1.5],
    [' -3 ', '.', -3],
    ['+.5', '.', 0.5],
    ['1e3', '.', 1000],
    ['1,5', ',', 1.5],
    ['1.234,5', ',', 1234.5],
    ['1,234.5', '.', 1234.5],
    ['1,234,567', '.', 1_234_567],
    ["2'600'000", '.', 2_600_000],
    ['2 600 000,5', ',', 2_600_000.5],
    ['2\u00a0600\u202f000', '.', 2_600_000],
    ['2,5', '.', 2.5],
    ['1.5', ',', 1.5],
  ] as const)('%s with decimal %s is %d', (cell, decimal, value) => {
    expect(readNumber(cell, decimal)).toMatchObject({ kind: 'number', value });
  });

  it.each([
    ['1,234', '.'],
    ['1.234', ','],
  ] as const)('%s with decimal %s could be either', (cell, decimal) => {
    expect(readNumber(cell, decimal)).toEqual({ kind: 'ambiguous' });
  });

  it.each(['', 'abc', '1.2.3', '0x1F', '1e999', 'NaN', '--1', '1-2', '٣', '1_000', '1 2', 'Infinity'])(
    '%j is no number',
    (cell) => {
      expect(readNumber(cell, '.').kind).toBe('none');
    },
  );
});

describe('dialect', () => {
  it('a preamble line with delimiters is not the header', () => {
    const lines = [
      'Erstellt;17.05.1986;Version 1,2',
      '',
      'Nr;Ost_m;Nord_m;Niederschlag_mm',
      '1;2600000,0;1200000,0;1,5',
      '2;2600001,0;1200000,0;2,5',
    ];
    expect(detectDialect(lines)).toMatchObject({ delimiter: ';', headerIndex: 2 });
  });

  it('names that the caller knows outweigh what looks like headings', () => {
    const lines = ['id,lon,lat,rain', 'q1,q2,q3,q4', '1,2,3,4', '5,6,7,8'];
    expect(detectDialect(lines, ['q1', 'q2', 'q3'])?.headerIndex).toBe(1);
  });

  it('splits quotes and finds the decimal mark', () => {
    expect(splitLine('a;"b;""c""";', ';')).toEqual(['a', 'b;"c"', '']);
    expect(detectDecimal([['1,5', '2,5', '3']], ';')).toBe(',');
    expect(detectDecimal([['1.5', '2,5', '3.5']], ';')).toBe('.');
  });
});

describe('decoding', () => {
  it.each([
    ['a\nb', 'LF'],
    ['a\r\nb', 'CRLF'],
    ['a\rb', 'CR'],
    ['a\r\nb\nc', 'mixed'],
    ['a', 'none'],
  ])('%j has line ends %s', (text, lineEnd) => {
    const decoded = decodeText(new TextEncoder().encode(text));
    expect(decoded.lineEnd).toBe(lineEnd);
    expect(decoded.text).not.toContain('\r');
  });

  it('big-endian UTF-16', () => {
    expect(decodeText(new Uint8Array([0xfe, 0xff, 0, 0x61, 0, 0xe9])).text).toBe('aé');
  });
});
