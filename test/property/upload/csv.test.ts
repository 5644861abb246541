import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../src/tools/upload/csvTable.ts';
import { readNumber } from '../../../src/tools/upload/numbers.ts';
import { parseUntrustedJson } from '../../../src/tools/upload/jsonGuard.ts';
import { sniffFormat } from '../../../src/tools/upload/sniff.ts';
import { ToolError } from '../../../src/plan/errors.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Cells without carriage returns, which the reader makes line feeds, and well formed, as UTF-8 must be. */
const cell = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => text.replaceAll('\r', ' ').replaceAll('\0', ' '));
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

describe('CSV', () => {
  it('whatever is quoted by the rules comes back as it was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 20 }),
        fc.constantFrom(',', ';', '\t', '|'),
        (rows, mark) => {
          const text = [
            ['station_id', 'lon', 'lat', 'rain_mm'].join(mark),
            ...rows.map((row) => row.map(quoted).join(mark)),
          ].join('\n');
          const table = readCsv(encode(text));
          expect(table.format.delimiter).toBe(mark);
          expect(table.rows.map((row) => row.cells)).toEqual(rows);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('any bytes are read or refused with a code, never an accident', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, headed) => {
        const file = headed ? Buffer.concat([encode('id,lon,lat,rain_mm\n'), bytes]) : bytes;
        try {
          readCsv(file);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('line numbers grow and stay within the file', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 30 }), (names) => {
        const text = ['id,lon,lat,rain_mm', ...names.map((name) => `${quoted(name)},9,46,1`)].join('\n');
        const lines = readCsv(encode(text)).rows.map((row) => row.line);
        expect(lines.every((line, n) => n === 0 || line > (lines[n - 1] ?? 0))).toBe(true);
        expect(lines.at(-1)).toBeLessThanOrEqual(text.split('\n').length);
      }),
    );
  });
});

describe('numbers', () => {
  it('every finite number that JavaScript writes plainly is read back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), (value) => {
        const text = String(value);
        fc.pre(!text.includes('e'));
        const read = readNumber(text, '.');
        expect(read.kind === 'number' ? read.value : read.kind).toBe(Number(text));
      }),
    );
  });

  it('with decimal comma and grouped by apostrophes as well', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, "'");
        expect(readNumber(`${grouped},${String(cents).padStart(2, '0')}`, ',')).toMatchObject({
          kind: 'number',
          value: Number(`${whole}.${String(cents).padStart(2, '0')}`),
        });
      }),
    );
  });

  it('any text ends in one of three kinds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }),
        fc.constantFrom('.' as const, ',' as const),
        (text, decimal) => {
          const read = readNumber(text, decimal);
          expect(['number', 'ambiguous', 'none']).toContain(read.kind);
          if (read.kind === 'number') expect(Number.isFinite(read.value)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('JSON and types', () => {
  it('what JSON writes within the depth is parsed as by JSON itself', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 10 }), (text) => {
        expect(parseUntrustedJson(encode(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('every proper beginning of an object is refused', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
        const bytes = encode(JSON.stringify(value));
        expect(() => parseUntrustedJson(bytes.subarray(0, at % bytes.length))).toThrow(ToolError);
      }),
    );
  });

  it('any head is a known format or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, name) => {
        try {
          expect(['csv', 'json', 'geojson', 'geotiff', 'asciiGrid']).toContain(sniffFormat(bytes, name).format);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
