import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteCsvCell } from '../../../src/artifacts/csv.ts';
import { contentDisposition, safeFileName } from '../../../src/artifacts/fileNames.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' }));

describe('file names and cells from anybody', () => {
  it('a header is one line of printable ASCII whatever the name', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        expect(contentDisposition('attachment', name)).toMatch(
          /^attachment; filename="[^"\\]+"(; filename\*=UTF-8''[\w.!~%$&+^`|#-]+)?$/,
        );
        expect(contentDisposition('attachment', name)).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });

  it('making a name safe twice changes nothing', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const safe = safeFileName(name);
        expect(safeFileName(safe)).toBe(safe);
        expect(safe).not.toMatch(/[/\\]/);
      }),
    );
  });

  it('a cell reads back as its text, with at most an apostrophe before it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = quoteCsvCell(text);
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        expect(read === text || read === `'${text}`).toBe(true);
        expect(read).not.toMatch(/^[=+@-]/);
      }),
    );
  });
});
