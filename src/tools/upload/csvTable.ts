import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { decodeText } from './decodeText.ts';
import { detectDecimal, detectDialect } from './csvDialect.ts';
import { UPLOAD_LIMITS } from './limits.ts';
import { uploadInvalid } from './refuse.ts';
import type { Table, TableRow } from './table.ts';

const HEAD_LINES = 200;
const HEAD_CHARS = 1_000_000;

/**
 * Reads an untrusted CSV: encoding, preamble and `#` comments, delimiter, header and decimal mark are found, quotes and
 * quoted line ends understood (RFC 4180). Cells stay as written.
 * @param expected headings that the caller knows (from `schema`), to find the header with.
 * @throws UPLOAD_INVALID without a header, with an open quote, or above a cap.
 */
export function readCsv(bytes: Uint8Array, expected: readonly string[] = []): Table {
  if (bytes.length > UPLOAD_LIMITS.bytes) throw uploadInvalid('The file is larger than 100 MiB.');
  const decoded = decodeText(bytes);
  const head = decoded.text.slice(0, HEAD_CHARS).split('\n').slice(0, HEAD_LINES);
  const dialect = detectDialect(head, expected);
  if (dialect === null) {
    throw uploadInvalid('No header line found: the first lines hold no row of at least two column names.');
  }
  if (dialect.header.length > UPLOAD_LIMITS.columns) throw uploadInvalid('The table has too many columns.');
  const before = head.slice(0, dialect.headerIndex);
  const body = bodyAfter(decoded.text, dialect.headerIndex + 1);
  const { rows, comments } = readRows(body, dialect.delimiter, dialect.header.length, dialect.headerIndex + 1);
  const isComment = before.some((line) => line.startsWith('#')) || comments.length > 0;
  return {
    kind: 'csv',
    format: {
      encoding: decoded.encoding,
      bom: decoded.bom,
      line_end: decoded.lineEnd,
      delimiter: dialect.delimiter,
      decimal: detectDecimal(
        rows.slice(0, 500).map((row) => row.cells),
        dialect.delimiter,
      ),
      header_line: dialect.headerIndex + 1,
      ...(isComment ? { comment: '#' } : {}),
    },
    header: dialect.header,
    rows,
    notes: [...before.filter((line) => line.trim() !== ''), ...comments],
    mixedLines: decoded.mixedLines,
    fixed: {},
  };
}

function bodyAfter(text: string, lines: number): string {
  let at = 0;
  for (let n = 0; n < lines; n += 1) {
    const next = text.indexOf('\n', at);
    if (next < 0) return '';
    at = next + 1;
  }
  return text.slice(at);
}

function readRows(
  body: string,
  delimiter: string,
  columns: number,
  offset: number,
): { rows: TableRow[]; comments: string[] } {
  const rows: TableRow[] = [];
  const comments: string[] = [];
  const onRecord = (cells: string[], context: { lines: number }): undefined => {
    const inside = cells.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
    const first = cells[0] ?? '';
    if (first.startsWith('#') && cells.length !== columns) comments.push(cells.join(delimiter));
    else if (cells.length > 1 || first.trim() !== '') rows.push({ line: context.lines + offset - inside, cells });
    if (rows.length > UPLOAD_LIMITS.rows) throw uploadInvalid(`The table has more than ${UPLOAD_LIMITS.rows} rows.`);
    return undefined;
  };
  try {
    parse(body, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: UPLOAD_LIMITS.recordBytes,
      on_record: onRecord,
    });
  } catch (error) {
    throw csvError(error, offset);
  }
  return { rows, comments };
}

function csvError(error: unknown, offset: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_MAX_RECORD_SIZE') return uploadInvalid('A record of the table is longer than 4 MiB.');
  const at = typeof error['lines'] === 'number' ? ` (near line ${error['lines'] + offset})` : '';
  return error.code === 'CSV_QUOTE_NOT_CLOSED'
    ? uploadInvalid(`A quoted text is not closed: the file is truncated or a quote is missing${at}.`)
    : uploadInvalid(`The table cannot be read: ${error.code}${at}.`);
}
