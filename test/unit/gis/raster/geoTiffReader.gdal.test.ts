/** GeoTIFFs that GDAL wrote, in the shapes that people have them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { writeCog } from '../../../../src/tools/gis/raster/cogWriter.ts';
import { readGeoTiff } from '../../../../src/tools/gis/raster/geoTiffReader.ts';
import { gdalTranslate, gdalWarp } from '../../../support/gis/gdal.ts';
import { codeOf, raster } from '../../../support/gis/inputs.ts';

const WIDTH = 90;
const HEIGHT = 70;
/** Whole metres, so that every integer type holds them. */
const heights = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
  Math.round(500 + 300 * Math.sin((i % WIDTH) / 9) * Math.cos(i / WIDTH / 11)),
);
const base = raster({
  width: WIDTH,
  height: HEIGHT,
  role: 'terrain',
  unit: 'm',
  crs: 'EPSG:32632',
  originX: 500_000,
  originY: 5_000_000,
  bands: [{ name: 'elevation_m', values: heights }],
});
const PLAIN = ['-of', 'GTiff', '-a_nodata', '-9999'];

describe('readGeoTiff of files by GDAL', () => {
  let source: Uint8Array;
  beforeAll(() => {
    source = writeCog(base);
  });

  it.each([
    ['uncompressed strips', []],
    ['LZW', ['-co', 'COMPRESS=LZW']],
    ['LZW with differences', ['-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=2', '-ot', 'Int16']],
    ['DEFLATE, int16', ['-co', 'COMPRESS=DEFLATE', '-ot', 'Int16']],
    ['DEFLATE, float predictor', ['-co', 'COMPRESS=DEFLATE', '-co', 'PREDICTOR=3']],
    ['PackBits, uint16', ['-co', 'COMPRESS=PACKBITS', '-ot', 'UInt16', '-a_nodata', '65535']],
    ['tiles of 16', ['-co', 'TILED=YES', '-co', 'BLOCKXSIZE=16', '-co', 'BLOCKYSIZE=16', '-co', 'COMPRESS=LZW']],
    ['float64', ['-ot', 'Float64']],
    ['int32, big-endian', ['-ot', 'Int32', '-co', 'ENDIANNESS=BIG']],
    ['BigTIFF', ['-co', 'BIGTIFF=YES', '-co', 'COMPRESS=DEFLATE']],
    ['as GDAL writes a COG', ['-of', 'COG', '-co', 'BLOCKSIZE=128']],
  ])(
    '%s: same cells, same place',
    async (_name, options) => {
      const bytes = await gdalTranslate(source, [...PLAIN, ...options]);
      const file = await readGeoTiff(bytes);
      expect([file.width, file.height, file.originX, file.originY, file.cellSize, file.crs]).toEqual([
        WIDTH,
        HEIGHT,
        500_000,
        5_000_000,
        100,
        'EPSG:32632',
      ]);
      expect(file.bands[0]?.values).toEqual(heights);
    },
    60_000,
  );

  it('moves PixelIsPoint files by half a cell', async () => {
    const bytes = await gdalTranslate(source, [...PLAIN, '-mo', 'AREA_OR_POINT=Point']);
    const file = await readGeoTiff(bytes);
    expect([file.originX, file.originY]).toEqual([500_000, 5_000_000]);
  }, 60_000);

  it('O-37 reads declared no data as NaN, in integer and float files', async () => {
    const holed = {
      ...base,
      bands: [{ name: 'elevation_m', values: heights.map((value, i) => (i % 7 === 0 ? NaN : value)) }],
    };
    const withHoles = writeCog(holed);
    for (const type of ['Int16', 'Float32']) {
      const options = ['-of', 'GTiff', '-srcnodata', 'nan', '-dstnodata', '-9999', '-ot', type];
      const file = await readGeoTiff(await gdalWarp(withHoles, options));
      const values = file.bands[0]?.values ?? new Float32Array();
      expect(file.noData).toBe(-9999);
      expect(values).toEqual(holed.bands[0]?.values);
    }
  }, 60_000);

  it('O-37 matches a no-data text that is not the float32 value', async () => {
    const values = heights.map((value, i) => (i === 5 ? Math.fround(-3.4e38) : value));
    const bytes = await gdalTranslate(writeCog({ ...base, bands: [{ name: 'elevation_m', values }] }), [
      '-of',
      'GTiff',
      '-a_nodata',
      '-3.4e38',
    ]);
    const file = await readGeoTiff(bytes);
    expect(Number.isNaN(file.bands[0]?.values[5])).toBe(true);
  }, 60_000);

  it('does not invent a system for a file that names none', async () => {
    const bytes = await gdalTranslate(source, [...PLAIN, '-a_srs', 'LOCAL_CS["unknown",UNIT["metre",1]]']);
    const file = await readGeoTiff(bytes);
    expect(file.crs).toBeNull();
  }, 60_000);

  it('says the code of a system that is not known here', async () => {
    const bytes = await gdalTranslate(source, [...PLAIN, '-a_srs', 'EPSG:32198']);
    const file = await readGeoTiff(bytes);
    expect([file.crs, file.crsCode]).toEqual([null, 32198]);
  }, 60_000);

  it('refuses cells that are not square', async () => {
    const bytes = await gdalTranslate(source, [...PLAIN, '-a_ullr', '500000', '5000000', '509000', '4996500']);
    expect(await codeOf(readGeoTiff(bytes))).toBe('UPLOAD_INVALID');
  }, 60_000);
});
