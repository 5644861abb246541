import { ToolError } from '../../../plan/errors.ts';
import { MAX_CELLS } from '../raster/tiffScan.ts';

/** An Esri ASCII grid as it stands in the file; it never names a coordinate system. */
export interface AsciiGrid {
  readonly width: number;
  readonly height: number;
  /** Top-left corner of the top-left cell. */
  readonly originX: number;
  readonly originY: number;
  readonly cellSize: number;
  readonly noData: number | null;
  /** No data as NaN; row 0 is north. */
  readonly values: Float32Array;
}

const bad = (what: string): ToolError => new ToolError('UPLOAD_INVALID', `This ASCII grid is refused: ${what}.`);
const KEYWORDS: ReadonlySet<string> = new Set([
  'ncols',
  'nrows',
  'xllcorner',
  'yllcorner',
  'xllcenter',
  'yllcenter',
  'cellsize',
  'nodata_value',
]);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEADER_LINES = 8;

/** Whether a text begins like an Esri ASCII grid (any keyword case). */
export function looksLikeAsciiGrid(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*ncols\s+\d/i.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}

function numberFrom(token: string, what: string): number {
  // NaN is written by some tools for missing cells.
  if (/^nan$/i.test(token)) return NaN;
  if (!NUMBER.test(token)) {
    throw bad(
      `${what} is ${JSON.stringify(token.slice(0, 40))}, not a number${token.includes(',') ? ' (a decimal comma is not part of the format)' : ''}`,
    );
  }
  return Number(token);
}

interface Header {
  readonly values: ReadonlyMap<string, number>;
  /** Where the cells begin in the text. */
  readonly end: number;
}

function readHeader(text: string): Header {
  const values = new Map<string, number>();
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let line = 0; line < HEADER_LINES; line += 1) {
    const pattern = /[ \t\r\n]*([A-Za-z_]+)[ \t]+([^ \t\r\n]+)[ \t]*\r?\n/y;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const keyword = match?.[1]?.toLowerCase();
    if (!match || keyword === undefined || !KEYWORDS.has(keyword)) break;
    if (values.has(keyword)) throw bad(`${keyword} is stated twice`);
    values.set(keyword, numberFrom(match[2] ?? '', keyword));
    at = pattern.lastIndex;
  }
  return { values, end: at };
}

function size(header: Header, keyword: string): number {
  const value = header.values.get(keyword);
  if (value === undefined) throw bad(`${keyword} is missing`);
  if (!Number.isInteger(value) || value < 1) throw bad(`${keyword} is ${value}`);
  return value;
}

/**
 * Esri ASCII raster: keywords in any case, lower-left corner or centre, optional no-data value, row 1 is north.
 * Format: https://desktop.arcgis.com/en/arcmap/10.6/manage-data/raster-and-images/esri-ascii-raster-format.htm
 *
 * @throws ToolError `UPLOAD_INVALID`, with the keyword or cell at fault
 */
export function readAsciiGrid(bytes: Uint8Array): AsciiGrid {
  const text = new TextDecoder().decode(bytes);
  const header = readHeader(text);
  const width = size(header, 'ncols');
  const height = size(header, 'nrows');
  if (width * height > MAX_CELLS) throw bad(`it declares ${width} × ${height} cells, more than ${MAX_CELLS}`);
  // Every cell takes two characters at least: a header alone cannot make us allocate.
  if (width * height * 2 - 1 > text.length - header.end + 1)
    throw bad(`it declares ${width} × ${height} cells and holds fewer`);
  const cellSize = header.values.get('cellsize') ?? NaN;
  if (!(cellSize > 0)) throw bad('cellsize is missing or not above zero');
  const lowerLeft = (axis: 'x' | 'y'): number => {
    const corner = header.values.get(`${axis}llcorner`);
    const centre = header.values.get(`${axis}llcenter`);
    if ((corner === undefined) === (centre === undefined))
      throw bad(`it needs one of ${axis}llcorner and ${axis}llcenter`);
    const value = corner ?? (centre ?? NaN) - cellSize / 2;
    if (!Number.isFinite(value)) throw bad(`${axis}llcorner is not finite`);
    return value;
  };
  const originX = lowerLeft('x');
  const originY = lowerLeft('y') + height * cellSize;
  const noData = header.values.get('nodata_value') ?? null;
  const values = new Float32Array(width * height);
  const token = /[^ \t\r\n]+/g;
  token.lastIndex = header.end;
  let count = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (count >= values.length) throw bad(`it holds more than ${width} × ${height} cells`);
    const value = numberFrom(match[0], `cell ${count + 1}`);
    values[count] = noData !== null && value === noData ? NaN : value;
    count += 1;
  }
  if (count < values.length) throw bad(`it declares ${width} × ${height} cells and holds ${count}`);
  return { width, height, originX, originY, cellSize, noData, values };
}
