import { ToolError } from '../../../plan/errors.ts';
import { TAG, TYPE_SIZE } from './tiffTags.ts';

/** Cells of the largest raster taken, all bands counted once: 5 000 × 5 000. */
export const MAX_CELLS = 25_000_000;
const MAX_BANDS = 4;
const MAX_DIRECTORIES = 32;
const MAX_ENTRIES = 512;
const MAX_TILE_SIDE = 8192;
/** None, LZW, DEFLATE (two numbers), PackBits. */
const COMPRESSIONS: ReadonlySet<number> = new Set([1, 5, 8, 32946, 32773]);

/** What the first directory declares; checked against the caps and the length of the file. */
export interface TiffFacts {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly bitsPerSample: number;
  readonly compression: number;
  readonly tileBytes: number;
}

const bad = (what: string): ToolError => new ToolError('UPLOAD_INVALID', `This TIFF is refused: ${what}.`);

interface Layout {
  readonly view: DataView;
  readonly little: boolean;
  readonly big: boolean;
}

interface Field {
  readonly type: number;
  readonly count: number;
  /** Where the values are, in the file. */
  readonly at: number;
}

function unsigned(view: DataView, at: number, bytes: 2 | 4 | 8, little: boolean): number {
  if (at < 0 || at + bytes > view.byteLength) throw bad('it is cut off or points outside itself');
  if (bytes === 2) return view.getUint16(at, little);
  if (bytes === 4) return view.getUint32(at, little);
  const value = Number(view.getBigUint64(at, little));
  if (value > Number.MAX_SAFE_INTEGER) throw bad('it points outside itself');
  return value;
}

function readLayout(bytes: Uint8Array): Layout & { readonly first: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) throw bad('it is too short');
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) throw bad('it does not begin like a TIFF');
  const little = order === 0x4949;
  const magic = view.getUint16(2, little);
  if (magic !== 42 && magic !== 43) throw bad('it does not begin like a TIFF');
  const big = magic === 43;
  return { view, little, big, first: unsigned(view, big ? 8 : 4, big ? 8 : 4, little) };
}

function readDirectory({ view, little, big }: Layout, at: number): { fields: Map<number, Field>; next: number } {
  const count = unsigned(view, at, big ? 8 : 2, little);
  if (count > MAX_ENTRIES) throw bad(`a directory declares ${count} entries`);
  const entryBytes = big ? 20 : 12;
  const inline = big ? 8 : 4;
  const start = at + (big ? 8 : 2);
  const fields = new Map<number, Field>();
  for (let index = 0; index < count; index += 1) {
    const row = start + index * entryBytes;
    const type = unsigned(view, row + 2, 2, little);
    const values = unsigned(view, row + 4, big ? 8 : 4, little);
    const size = (TYPE_SIZE.get(type) ?? 1) * values;
    const valueAt = size <= inline ? row + (big ? 12 : 8) : unsigned(view, row + (big ? 12 : 8), big ? 8 : 4, little);
    if (valueAt + size > view.byteLength) throw bad('a field points outside the file');
    fields.set(unsigned(view, row, 2, little), { type, count: values, at: valueAt });
  }
  return { fields, next: unsigned(view, start + count * entryBytes, big ? 8 : 4, little) };
}

function numberOf(layout: Layout, field: Field, index: number): number {
  const size = TYPE_SIZE.get(field.type);
  if (size === 1) return layout.view.getUint8(field.at + index);
  if (size !== 2 && size !== 4 && size !== 8) throw bad('a size is stored in an unknown type');
  return unsigned(layout.view, field.at + index * size, size, layout.little);
}

function checkDirectory(layout: Layout, fields: ReadonlyMap<number, Field>): TiffFacts {
  const scalar = (tag: number, fallback?: number): number => {
    const field = fields.get(tag);
    if (field && field.count > 0) return numberOf(layout, field, 0);
    if (fallback === undefined) throw bad(`tag ${tag} is missing`);
    return fallback;
  };
  const width = scalar(TAG.imageWidth);
  const height = scalar(TAG.imageLength);
  if (width < 1 || height < 1) throw bad('it declares no cells');
  if (width * height > MAX_CELLS) throw bad(`it declares ${width} × ${height} cells, more than ${MAX_CELLS}`);
  const bands = scalar(TAG.samplesPerPixel, 1);
  if (bands < 1 || bands > MAX_BANDS) throw bad(`it declares ${bands} bands; 1 to ${MAX_BANDS} are taken`);
  const bitsPerSample = scalar(TAG.bitsPerSample, 1);
  if (![8, 16, 32, 64].includes(bitsPerSample)) throw bad(`it has ${bitsPerSample} bits per value`);
  const compression = scalar(TAG.compression, 1);
  if (!COMPRESSIONS.has(compression))
    throw bad(`compression ${compression} is not taken; save it with DEFLATE, LZW or none`);

  const tiled = fields.has(TAG.tileOffsets);
  const tileWidth = tiled ? scalar(TAG.tileWidth) : width;
  const tileHeight = tiled ? scalar(TAG.tileLength) : Math.min(height, scalar(TAG.rowsPerStrip, height));
  if (tileWidth < 1 || tileHeight < 1 || (tiled && (tileWidth > MAX_TILE_SIDE || tileHeight > MAX_TILE_SIDE))) {
    throw bad(`its tiles are ${tileWidth} × ${tileHeight} cells`);
  }
  const separate = scalar(TAG.planarConfiguration, 1) === 2;
  const tileBytes = tileWidth * tileHeight * (bitsPerSample / 8) * (separate ? 1 : bands);
  const expected = Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight) * (separate ? bands : 1);
  const offsets = fields.get(tiled ? TAG.tileOffsets : TAG.stripOffsets);
  const counts = fields.get(tiled ? TAG.tileByteCounts : TAG.stripByteCounts);
  if (offsets?.count !== expected || counts?.count !== expected)
    throw bad(`it should list ${expected} blocks and does not`);
  for (let index = 0; index < expected; index += 1) {
    const length = numberOf(layout, counts, index);
    if (numberOf(layout, offsets, index) + length > layout.view.byteLength)
      throw bad('it is cut off: a block lies outside the file');
    if (length > tileBytes * 2 + 4096) throw bad('a block is larger than its cells could need');
  }
  return { width, height, bands, bitsPerSample, compression, tileBytes };
}

/**
 * Looks at the directories of a TIFF without allocating anything that the file asks for, and refuses what no honest
 * terrain file has. Work is bounded by the length of the file. Classic TIFF and BigTIFF, both byte orders.
 *
 * @returns facts of the first directory (the full picture)
 * @throws ToolError `UPLOAD_INVALID` with the reason in words
 */
export function scanTiff(bytes: Uint8Array): TiffFacts {
  const { first, ...layout } = readLayout(bytes);
  const seen = new Set<number>();
  let facts: TiffFacts | undefined;
  for (let at = first; at !== 0;) {
    if (seen.has(at)) throw bad('its directories run in a circle');
    if (seen.size >= MAX_DIRECTORIES) throw bad(`it has more than ${MAX_DIRECTORIES} directories`);
    seen.add(at);
    const { fields, next } = readDirectory(layout, at);
    facts ??= checkDirectory(layout, fields);
    at = next;
  }
  if (!facts) throw bad('it holds no picture');
  return facts;
}
