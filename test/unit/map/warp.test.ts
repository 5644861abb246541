import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { transformer } from '../../../src/tools/gis/crs/transformer.ts';
import { fromMercator, toMercator } from '../../../src/tools/gis/map/mercator.ts';
import { encodePalettePng } from '../../../src/tools/gis/map/png.ts';
import { rampIndex } from '../../../src/tools/gis/map/rainRamp.ts';
import { warpSurface } from '../../../src/tools/gis/map/warp.ts';
import { rainRaster } from '../../support/mapData.ts';

const hex = (png: PNG, x: number, y: number): string => {
  const at = (y * png.width + x) * 4;
  return `#${png.data.subarray(at, at + 3).toString('hex')}`;
};

describe('rain surface warped to Web Mercator', () => {
  const raster = rainRaster();
  const picture = warpSurface(raster)!;
  const png = PNG.sync.read(Buffer.from(picture.png));
  const fromLonLat = transformer('EPSG:4326', raster.crs);

  /** Class colour of the raster cell under a pixel, by the exact transformation; null without data or outside. */
  function expected(px: number, py: number): string | null {
    const [x0, y0, x1, y1] = picture.box;
    const [lon, lat] = fromMercator(
      x0 + ((x1 - x0) * (px + 0.5)) / png.width,
      y1 - ((y1 - y0) * (py + 0.5)) / png.height,
    );
    const [x, y] = fromLonLat(lon, lat);
    const column = Math.floor((x - raster.originX) / raster.cellSize);
    const row = Math.floor((raster.originY - y) / raster.cellSize);
    if (column < 0 || row < 0 || column >= raster.width || row >= raster.height) return null;
    const value = raster.bands[0]!.values[row * raster.width + column]!;
    return Number.isNaN(value) ? null : picture.ramp[rampIndex(value, picture.ramp)]!.colour;
  }

  it('shows at each pixel the class of the cell that lies there', () => {
    let compared = 0;
    let different = 0;
    for (let py = 3; py < png.height; py += 7) {
      for (let px = 3; px < png.width; px += 7) {
        const colour = expected(px, py);
        if (colour === null) continue;
        compared += 1;
        if (hex(png, px, py) !== colour) different += 1;
      }
    }
    expect(compared).toBeGreaterThan(10_000);
    // Interpolating the transformation moves a cell's edge by a small part of a pixel at most.
    expect(different / compared).toBeLessThan(0.001);
  });

  it('would be kilometres off if it were stretched instead', () => {
    // The test above can fail: the middle of the box in degrees is not its middle in Mercator.
    const [, south] = fromMercator(0, picture.box[1]);
    const [, north] = fromMercator(0, picture.box[3]);
    const middle = toMercator(0, (south + north) / 2)[1];
    expect(Math.abs(middle - (picture.box[1] + picture.box[3]) / 2)).toBeGreaterThan(500);
  });

  it('hatches what has no data and leaves the outside transparent', () => {
    expect(picture.noDataCells).toBeGreaterThan(500);
    const corner = (png.width * (png.height - 60) + png.width - 80) * 4;
    const area = new Set<number>();
    for (let i = 0; i < 9; i += 1) area.add(png.data[corner + i * 4 + 3]!);
    expect(area).toEqual(new Set([40, 190]));
    const edge = Array.from({ length: png.height }, (_, y) => png.data[(y * png.width + png.width - 1) * 4 + 3]);
    expect(edge).toContain(0);
  });

  it('gives equal bytes for equal input', () => {
    expect(Buffer.compare(warpSurface(rainRaster())!.png, picture.png)).toBe(0);
  });

  it('draws a surface without any value as hatch only', () => {
    const empty = rainRaster({ bands: [{ name: 'rain_mm', values: new Float32Array(110 * 80).fill(NaN) }] });
    const drawn = warpSurface(empty)!;
    expect(drawn.max).toBeNaN();
    expect(drawn.noDataCells).toBe(110 * 80);
  });
});

describe('palette PNG', () => {
  it('is read back pixel by pixel by another program', () => {
    const palette = [
      { colour: '#112233', alpha: 255 },
      { colour: '#abcdef', alpha: 7 },
    ];
    const pixels = Uint8Array.of(0, 1, 1, 1, 0, 0);
    const png = PNG.sync.read(Buffer.from(encodePalettePng(3, 2, pixels, palette)));
    expect([png.width, png.height]).toEqual([3, 2]);
    expect([...png.data.subarray(0, 8)]).toEqual([0x11, 0x22, 0x33, 255, 0xab, 0xcd, 0xef, 7]);
    expect([...png.data.subarray(16, 20)]).toEqual([0x11, 0x22, 0x33, 255]);
  });
});
