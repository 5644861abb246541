import { beforeAll, describe, expect, it } from 'vitest';
import { writeCog } from '../../../../src/tools/gis/raster/cogWriter.ts';
import type { Raster } from '../../../../src/tools/gis/formats.ts';
import { gdalBand, gdalInfo, type GdalInfo } from '../../../support/gis/gdal.ts';
import { raster } from '../../../support/gis/inputs.ts';

const WIDTH = 700;
const HEIGHT = 530;

function surface(): Raster {
  const rain = Float32Array.from(
    { length: WIDTH * HEIGHT },
    (_, i) => 20 + 15 * Math.sin((i % WIDTH) / 40) * Math.cos(i / WIDTH / 30),
  );
  const se = rain.map((mm) => Math.sqrt(mm) / 3);
  for (let i = 0; i < 9000; i += 1) rain[i] = se[i] = NaN;
  rain[20_000] = 0;
  return raster({
    width: WIDTH,
    height: HEIGHT,
    crs: 'EPSG:2056',
    bands: [
      { name: 'rain_mm', values: rain },
      { name: 'se_mm', values: se },
    ],
    metadata: { METHOD: 'idw <b>&"quoted"</b>', SOURCE: 'Pluviometri «Arno» – 雨' },
  });
}

describe('a two-band surface read by GDAL', () => {
  const source = surface();
  let bytes: Uint8Array;
  let info: GdalInfo;
  beforeAll(async () => {
    bytes = writeCog(source);
    info = await gdalInfo(bytes);
  }, 60_000);

  it('is a Cloud-Optimised GeoTIFF', () => {
    expect(info.metadata['IMAGE_STRUCTURE']).toMatchObject({
      LAYOUT: 'COG',
      COMPRESSION: 'DEFLATE',
      INTERLEAVE: 'PIXEL',
    });
  });

  it('lies where it should, in its system', () => {
    expect(info.size).toEqual([WIDTH, HEIGHT]);
    expect(info.geoTransform).toEqual([2_600_000, 100, 0, 1_200_000, 0, -100]);
    expect(info.coordinateSystem?.wkt).toContain('ID["EPSG",2056]');
  });

  it('has tiles of 256, float32, NaN as no data, names, units and two overviews in both bands', () => {
    expect(info.bands).toHaveLength(2);
    for (const [index, name] of ['rain_mm', 'se_mm'].entries()) {
      const band = info.bands[index];
      expect(band).toMatchObject({
        block: [256, 256],
        type: 'Float32',
        description: name,
        unit: 'mm',
        noDataValue: 'NaN',
      });
      expect(band?.overviews?.map(({ size }) => size)).toEqual([
        [350, 265],
        [175, 133],
      ]);
    }
  });

  it('keeps its metadata, hostile characters included', () => {
    expect(info.metadata['']).toMatchObject({
      METHOD: 'idw <b>&"quoted"</b>',
      SOURCE: 'Pluviometri «Arno» – 雨',
      GEOAGENT_ROLE: 'rain',
      GEOAGENT_UNIT: 'mm',
      AREA_OR_POINT: 'Area',
    });
  });

  it('has the same value in every cell of both bands', async () => {
    for (const [index, band] of source.bands.entries()) {
      const theirs = await gdalBand(bytes, index + 1);
      expect(theirs.length).toBe(band.values.length);
      expect(theirs.every((value, cell) => Object.is(value, band.values[cell]))).toBe(true);
    }
  }, 60_000);
});

describe('other shapes read by GDAL', () => {
  it.each([
    ['one cell', 1, 1],
    ['one tile exactly', 256, 256],
    ['one cell over a tile', 257, 256],
    ['a strip', 1, 1000],
  ])(
    '%s',
    async (_name, width, height) => {
      const values = Float32Array.from({ length: width * height }, (_, i) => i * 0.5 - 3);
      const bytes = writeCog(
        raster({
          width,
          height,
          bands: [{ name: 'rain_mm', values }],
          crs: 'EPSG:4326',
          originX: 8,
          originY: 47,
          cellSize: 0.001,
        }),
      );
      const info = await gdalInfo(bytes);
      expect(info.size).toEqual([width, height]);
      expect(info.metadata['IMAGE_STRUCTURE']).toMatchObject({ LAYOUT: 'COG' });
      expect(info.coordinateSystem?.wkt).toContain('ID["EPSG",4326]');
      expect(await gdalBand(bytes, 1)).toEqual(values);
    },
    60_000,
  );

  it('classes are not averaged in overviews and not spoilt by the predictor', async () => {
    const values = Float32Array.from({ length: 600 * 600 }, (_, i) => (i % 3 === 0 ? 3 : 0));
    const bytes = writeCog(
      raster({
        width: 600,
        height: 600,
        role: 'screening',
        unit: 'class',
        bands: [{ name: 'screening_rank', values }],
      }),
    );
    expect((await gdalInfo(bytes)).metadata['IMAGE_STRUCTURE']?.['LAYOUT']).toBe('COG');
    expect(await gdalBand(bytes, 1)).toEqual(values);
  }, 60_000);
});
