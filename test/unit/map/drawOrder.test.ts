import type { Geometry } from 'geojson';
import { describe, expect, it } from 'vitest';
import { drawOrder, needsSymbol } from '../../../src/tools/gis/map/drawOrder.ts';
import type { MapAsset } from '../../../src/tools/gis/map/mapData.ts';
import type { Box } from '../../../src/tools/gis/map/mercator.ts';

const VIEW: Box = [8, 44, 10, 46];
const asset = (index: number, type: string, classIndex: number, box: Box | null): MapAsset => ({
  index,
  id: String(index),
  name: String(index),
  classIndex,
  rain: null,
  se: null,
  probability: null,
  slope: null,
  measure: null,
  geometry: box ? ({ type, coordinates: [] } as unknown as Geometry) : null,
  box,
});
const large: Box = [8.2, 44.2, 9, 45];
const tiny: Box = [9, 45, 9.001, 45.001];

describe('order of drawing', () => {
  it('puts areas below lines below points, and the strongest class on top of its kind', () => {
    const assets = [
      asset(0, 'Point', 0, tiny),
      asset(1, 'Polygon', 0, large),
      asset(2, 'Point', 2, tiny),
      asset(3, 'MultiPolygon', 2, large),
      asset(4, 'LineString', 1, large),
    ];
    expect(drawOrder(assets, VIEW).map((one) => one.index)).toEqual([3, 1, 4, 2, 0]);
  });

  it('leaves out assets without geometry and the given list alone', () => {
    const assets = [asset(0, 'Point', 0, null), asset(1, 'Point', 1, tiny)];
    expect(drawOrder(assets, VIEW).map((one) => one.index)).toEqual([1]);
    expect(assets).toHaveLength(2);
  });

  it('marks an outline that nobody would see by its symbol, above large areas', () => {
    expect(needsSymbol(asset(0, 'Polygon', 0, tiny), VIEW)).toBe(true);
    expect(needsSymbol(asset(0, 'MultiLineString', 0, tiny), VIEW)).toBe(true);
    expect(needsSymbol(asset(0, 'Polygon', 0, large), VIEW)).toBe(false);
    expect(needsSymbol(asset(0, 'LineString', 0, [8.2, 45, 9, 45]), VIEW)).toBe(false);
    expect(needsSymbol(asset(0, 'Point', 0, tiny), VIEW)).toBe(false);
    const order = drawOrder([asset(0, 'Polygon', 0, tiny), asset(1, 'LineString', 0, large)], VIEW);
    expect(order.map((one) => one.index)).toEqual([1, 0]);
  });
});
