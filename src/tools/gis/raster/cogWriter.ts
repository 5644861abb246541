import { deflateSync } from 'node:zlib';
import { crsInfo } from '../crs/crsInfo.ts';
import type { Raster } from '../formats.ts';
import { writeGdalMetadata } from './gdalMetadata.ts';
import { pyramid, type Level } from './overviews.ts';
import { applyFloatPredictor } from './predictor.ts';
import { GEO_KEY, TAG } from './tiffTags.ts';

const TILE = 256;
/** Level 6 costs twice the time of 4 for 2 % of the size on rain surfaces. */
const DEFLATE_LEVEL = 4;
const HEADER_BYTES = 8;

/** What GDAL looks for right behind the header: where things are and how tiles are framed. */
const GHOST_BODY = [
  'LAYOUT=IFDS_BEFORE_DATA',
  'BLOCK_ORDER=ROW_MAJOR',
  'BLOCK_LEADER=SIZE_AS_UINT4',
  'BLOCK_TRAILER=LAST_4_BYTES_REPEATED',
  'KNOWN_INCOMPATIBLE_EDITION=NO',
  '',
].join('\n');
const GHOST = (() => {
  // One trailing space: GDAL overwrites it in place when it changes NO to YES, and counts it.
  const body = `${GHOST_BODY} `;
  return `GDAL_STRUCTURAL_METADATA_SIZE=${String(body.length).padStart(6, '0')} bytes\n${body}`;
})();

type Entry =
  | { readonly tag: number; readonly type: 'short' | 'long' | 'double'; readonly values: readonly number[] }
  | { readonly tag: number; readonly type: 'ascii'; readonly text: string };

const TYPE_CODE = { ascii: 2, short: 3, long: 4, double: 12 } as const;
const TYPE_BYTES = { ascii: 1, short: 2, long: 4, double: 8 } as const;

function tileBytes(level: Level, tileRow: number, tileColumn: number): Uint8Array {
  const bands = level.bands.length;
  const tile = new Float32Array(TILE * TILE * bands).fill(NaN);
  const rows = Math.min(TILE, level.height - tileRow * TILE);
  const columns = Math.min(TILE, level.width - tileColumn * TILE);
  level.bands.forEach((values, band) => {
    for (let row = 0; row < rows; row += 1) {
      let from = (tileRow * TILE + row) * level.width + tileColumn * TILE;
      let to = row * TILE * bands + band;
      for (let column = 0; column < columns; column += 1, from += 1, to += bands) tile[to] = values[from] as number;
    }
  });
  return new Uint8Array(tile.buffer);
}

function compress(tile: Uint8Array, predictor: 1 | 3, bands: number): Uint8Array {
  const input = predictor === 3 ? applyFloatPredictor(tile, TILE, TILE * bands, bands) : tile;
  return deflateSync(input, { level: DEFLATE_LEVEL });
}

/** The predictor that makes the middle tile smaller: 3 for smooth surfaces, 1 for classes. */
function choosePredictor(level: Level): 1 | 3 {
  const middle = tileBytes(level, Math.floor((level.height - 1) / TILE / 2), Math.floor((level.width - 1) / TILE / 2));
  const bands = level.bands.length;
  return compress(middle, 3, bands).length < compress(middle, 1, bands).length ? 3 : 1;
}

function geoKeys(crs: string): number[] {
  const info = crsInfo(crs);
  const projected = info.kind === 'projected';
  const keys: [number, number][] = [
    [GEO_KEY.modelType, projected ? 1 : 2],
    [GEO_KEY.rasterType, 1],
    [projected ? GEO_KEY.projectedType : GEO_KEY.geographicType, info.code],
    ...(projected ? [[GEO_KEY.projectedUnit, 9001] as [number, number]] : []),
  ];
  return [1, 1, 0, keys.length, ...keys.flatMap(([key, value]) => [key, 0, 1, value])];
}

function describe(raster: Raster, level: Level, isBase: boolean, predictor: 1 | 3, tiles: number): Entry[] {
  const bands = level.bands.length;
  const each = (value: number): number[] => new Array<number>(bands).fill(value);
  const entries: Entry[] = [
    { tag: TAG.newSubfileType, type: 'long', values: [isBase ? 0 : 1] },
    { tag: TAG.imageWidth, type: 'long', values: [level.width] },
    { tag: TAG.imageLength, type: 'long', values: [level.height] },
    { tag: TAG.bitsPerSample, type: 'short', values: each(32) },
    { tag: TAG.compression, type: 'short', values: [8] },
    { tag: TAG.photometric, type: 'short', values: [1] },
    { tag: TAG.samplesPerPixel, type: 'short', values: [bands] },
    { tag: TAG.planarConfiguration, type: 'short', values: [1] },
    ...(predictor === 3 ? [{ tag: TAG.predictor, type: 'short', values: [3] } as const] : []),
    { tag: TAG.tileWidth, type: 'short', values: [TILE] },
    { tag: TAG.tileLength, type: 'short', values: [TILE] },
    { tag: TAG.tileOffsets, type: 'long', values: new Array<number>(tiles).fill(0) },
    { tag: TAG.tileByteCounts, type: 'long', values: new Array<number>(tiles).fill(0) },
    ...(bands > 1
      ? [{ tag: TAG.extraSamples, type: 'short', values: new Array<number>(bands - 1).fill(0) } as const]
      : []),
    { tag: TAG.sampleFormat, type: 'short', values: each(3) },
  ];
  if (isBase) {
    const pairs = { ...raster.metadata, AREA_OR_POINT: 'Area', GEOAGENT_ROLE: raster.role, GEOAGENT_UNIT: raster.unit };
    const names = raster.bands.map(({ name }) => ({ name, unit: raster.unit }));
    entries.push(
      { tag: TAG.modelPixelScale, type: 'double', values: [raster.cellSize, raster.cellSize, 0] },
      { tag: TAG.modelTiepoint, type: 'double', values: [0, 0, 0, raster.originX, raster.originY, 0] },
      { tag: TAG.geoKeyDirectory, type: 'short', values: geoKeys(raster.crs) },
      { tag: TAG.gdalMetadata, type: 'ascii', text: writeGdalMetadata(pairs, names) },
    );
  }
  entries.push({ tag: TAG.gdalNoData, type: 'ascii', text: 'nan' });
  return entries;
}

const even = (length: number): number => length + (length % 2);

function encodeEntry(entry: Entry): { readonly count: number; readonly bytes: Uint8Array } {
  if (entry.type === 'ascii') {
    const bytes = new TextEncoder().encode(`${entry.text}\0`);
    return { count: bytes.length, bytes };
  }
  const bytes = new Uint8Array(entry.values.length * TYPE_BYTES[entry.type]);
  const view = new DataView(bytes.buffer);
  entry.values.forEach((value, index) => {
    if (entry.type === 'short') view.setUint16(index * 2, value, true);
    else if (entry.type === 'long') view.setUint32(index * 4, value, true);
    else view.setFloat64(index * 8, value, true);
  });
  return { count: entry.values.length, bytes };
}

/** Bytes of a directory: the table, then the values that do not fit in it. */
function encodeDirectory(entries: readonly Entry[], offset: number, next: number): Uint8Array {
  const encoded = entries.map((entry) => ({ entry, ...encodeEntry(entry) }));
  const table = 2 + entries.length * 12 + 4;
  const size = encoded.reduce((sum, { bytes }) => sum + (bytes.length > 4 ? even(bytes.length) : 0), even(table));
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  view.setUint16(0, entries.length, true);
  let at = even(table);
  encoded.forEach(({ entry, count, bytes }, index) => {
    const row = 2 + index * 12;
    view.setUint16(row, entry.tag, true);
    view.setUint16(row + 2, TYPE_CODE[entry.type], true);
    view.setUint32(row + 4, count, true);
    if (bytes.length <= 4) {
      out.set(bytes, row + 8);
      return;
    }
    view.setUint32(row + 8, offset + at, true);
    out.set(bytes, at);
    at += even(bytes.length);
  });
  view.setUint32(table - 4, next, true);
  return out;
}

interface Encoded {
  readonly level: Level;
  readonly tiles: readonly Uint8Array[];
}

function encodeLevel(level: Level, predictor: 1 | 3): Encoded {
  const tiles: Uint8Array[] = [];
  for (let row = 0; row < Math.ceil(level.height / TILE); row += 1) {
    for (let column = 0; column < Math.ceil(level.width / TILE); column += 1) {
      tiles.push(compress(tileBytes(level, row, column), predictor, level.bands.length));
    }
  }
  return { level, tiles };
}

const withTiles = (entries: readonly Entry[], offsets: readonly number[], counts: readonly number[]): Entry[] =>
  entries.map((entry) => {
    if (entry.tag === TAG.tileOffsets) return { tag: entry.tag, type: 'long', values: offsets };
    if (entry.tag === TAG.tileByteCounts) return { tag: entry.tag, type: 'long', values: counts };
    return entry;
  });

/**
 * Writes a raster as a Cloud-Optimised GeoTIFF: classic little-endian TIFF, tiles of 256, DEFLATE, bands interleaved by
 * pixel, overviews by average (classes by nearest), no data as NaN. Equal rasters give equal bytes under one zlib version.
 * Layout: OGC 21-026 "OGC Cloud Optimized GeoTIFF", GDAL's COG driver documentation for the ghost block.
 *
 * @throws RangeError when bands and size disagree or the file would pass 4 GiB (neither can come from a plan)
 */
export function writeCog(raster: Raster): Uint8Array {
  const cells = raster.width * raster.height;
  if (cells === 0 || raster.bands.length === 0 || raster.bands.some((band) => band.values.length !== cells)) {
    throw new RangeError('A raster needs at least one cell and one band, and bands of its own size.');
  }
  const base: Level = { width: raster.width, height: raster.height, bands: raster.bands.map((band) => band.values) };
  const predictor = choosePredictor(base);
  const levels = pyramid(base, TILE, raster.role === 'screening' ? 'nearest' : 'average').map((level) =>
    encodeLevel(level, predictor),
  );
  const directories = levels.map(({ level, tiles }, index) =>
    describe(raster, level, index === 0, predictor, tiles.length),
  );

  const starts: number[] = [];
  let at = HEADER_BYTES + even(GHOST.length);
  for (const entries of directories) {
    starts.push(at);
    at += encodeDirectory(entries, 0, 0).length;
  }
  // Smallest overview first, the full picture last: a reader gets the coarse view with the first bytes.
  const offsets: number[][] = levels.map(() => []);
  for (let index = levels.length - 1; index >= 0; index -= 1) {
    for (const tile of levels[index]?.tiles ?? []) {
      offsets[index]?.push(at + 4);
      at += 4 + tile.length + 4;
    }
  }
  if (at > 0xffff_ffff) throw new RangeError('The raster is too large for a classic TIFF.');

  const out = new Uint8Array(at);
  const view = new DataView(out.buffer);
  out.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, starts[0] ?? 0, true);
  out.set(new TextEncoder().encode(GHOST), HEADER_BYTES);
  directories.forEach((entries, index) => {
    const start = starts[index] ?? 0;
    const tiles = levels[index]?.tiles ?? [];
    const filled = withTiles(
      entries,
      offsets[index] ?? [],
      tiles.map((tile) => tile.length),
    );
    out.set(encodeDirectory(filled, start, starts[index + 1] ?? 0), start);
    tiles.forEach((tile, number) => {
      const offset = offsets[index]?.[number] ?? 0;
      view.setUint32(offset - 4, tile.length, true);
      out.set(tile, offset);
      out.set(tile.subarray(tile.length - 4), offset + tile.length);
    });
  });
  return out;
}
