import { readCsv } from './csvTable.ts';
import { readJsonTable } from './jsonTable.ts';
import { uploadInvalid } from './refuse.ts';
import { sniffFormat } from './sniff.ts';
import type { Table } from './table.ts';

/**
 * A table from an untrusted file: CSV, JSON or GeoJSON points, told apart by content.
 * @param expected column names the caller knows.
 * @throws UPLOAD_INVALID for any other type.
 */
export function readTable(bytes: Uint8Array, name: string, expected: readonly string[] = []): Table {
  const { format } = sniffFormat(bytes.subarray(0, 4096), name);
  if (format === 'csv') return readCsv(bytes, expected);
  if (format === 'json' || format === 'geojson') return readJsonTable(bytes);
  throw uploadInvalid('This is a raster; a table (CSV or JSON) is expected here.');
}
