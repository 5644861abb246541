import { describe, expect, it } from 'vitest';
import { localMetricCrs, metricCrsOfExtent, utmZoneOf } from '../../../../src/tools/gis/crs/localMetric.ts';
import { transformer } from '../../../../src/tools/gis/crs/transformer.ts';
import { codeOf } from '../../../support/gis/inputs.ts';

describe('localMetricCrs', () => {
  it.each([
    [8.5, 47.3, 'EPSG:32632'],
    [12.5, 41.9, 'EPSG:32633'],
    [-0.1, 51.5, 'EPSG:32630'],
    [-180, 10, 'EPSG:32601'],
    [180, 10, 'EPSG:32660'],
    [151.2, -33.9, 'EPSG:32756'],
    [0, 0, 'EPSG:32631'],
  ])('takes the zone of %d, %d: %s', (lon, lat, zone) => {
    expect(utmZoneOf(lon, lat)).toBe(zone);
    expect(localMetricCrs([[lon, lat]], 'EPSG:4326')).toBe(zone);
  });

  it('keeps a metric system', () => {
    expect(localMetricCrs([[2_600_000, 1_200_000]], 'EPSG:2056')).toBe('EPSG:2056');
  });

  it('leaves pseudo-Mercator, whose metres are not metres on the ground', () => {
    expect(localMetricCrs([transformer('EPSG:4326', 'EPSG:3857')(9.2, 45.5)], 'EPSG:3857')).toBe('EPSG:32632');
  });

  it('refuses a spread that no zone can hold, poles, the date line and missing positions', async () => {
    const wide: [number, number][] = [
      [-10, 40],
      [30, 40],
    ];
    expect(await codeOf(() => localMetricCrs(wide, 'EPSG:4326'))).toBe('CRS_NOT_PROJECTED');
    expect(await codeOf(() => localMetricCrs([[10, 86]], 'EPSG:4326'))).toBe('CRS_NOT_PROJECTED');
    expect(
      await codeOf(() =>
        localMetricCrs(
          [
            [179, 0],
            [-179, 0],
          ],
          'EPSG:4326',
        ),
      ),
    ).toBe('CRS_NOT_PROJECTED');
    expect(await codeOf(() => localMetricCrs([], 'EPSG:4326'))).toBe('CRS_NOT_PROJECTED');
    expect(await codeOf(() => localMetricCrs([[NaN, 4]], 'EPSG:4326'))).toBe('CRS_NOT_PROJECTED');
  });

  it('proposes for a box without throwing', () => {
    expect(metricCrsOfExtent([8, 46, 9, 47], 'EPSG:4326')).toBe('EPSG:32632');
    expect(metricCrsOfExtent([8, 86, 9, 89], 'EPSG:4326')).toBeNull();
  });
});

describe('transformer', () => {
  it('gives NaN, not a number, for what has no image', () => {
    const transform = transformer('EPSG:4326', 'EPSG:32632');
    for (const [x, y] of [
      [NaN, 1],
      [1, NaN],
      [Infinity, 1],
      [9, 91],
      [9, -200],
    ] as const) {
      expect(transform(x, y)).toEqual([NaN, NaN]);
    }
  });

  it('puts a SIC97 station where the data set has it in both systems', () => {
    const [x, y] = transformer('EPSG:4326', 'EPSG:2056')(6.079259, 46.45873);
    expect(Math.hypot(x - 2495572, y - 1146173)).toBeLessThan(0.2);
  });

  it('is the identity between aliases', () => {
    expect(transformer('EPSG:900913', 'EPSG:3857')(12.5, 45.25)).toEqual([12.5, 45.25]);
  });
});
