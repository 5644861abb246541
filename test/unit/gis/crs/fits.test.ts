import { describe, expect, it } from 'vitest';
import { describeMisfit, fitsCrs, swappedFits } from '../../../../src/tools/gis/crs/fits.ts';

describe('fitsCrs', () => {
  it('O-38 refuses metres declared as degrees', () => {
    expect(fitsCrs(-11788432, 4821816, 'EPSG:4326')).toBe(false);
    expect(describeMisfit([[-11788432, 4821816]], 'EPSG:4326')).toContain('look like metres');
    expect(fitsCrs(-11788432, 4821816, '102100')).toBe(true);
  });

  it('O-38 says that a pair would fit exchanged, and does not exchange it', () => {
    // Bern in LV95 with north before east.
    expect(fitsCrs(1_200_000, 2_600_000, 'EPSG:2056')).toBe(false);
    expect(swappedFits(1_200_000, 2_600_000, 'EPSG:2056')).toBe(true);
    expect(describeMisfit([[1_200_000, 2_600_000]], 'EPSG:2056')).toContain('exchanged');
    expect(describeMisfit([[41.9, 131.8]], 'EPSG:4326')).toContain('exchanged');
  });

  it('O-38 takes Berlin as latitude, longitude for a legal place: only an area of interest can tell', () => {
    expect(fitsCrs(52.5, 13.4, 'EPSG:4326')).toBe(true);
    expect(swappedFits(52.5, 13.4, 'EPSG:4326')).toBe(false);
  });

  it('refuses positions far outside the area of use', () => {
    expect(fitsCrs(2_600_000, 1_200_000, 'EPSG:32632')).toBe(false);
    expect(fitsCrs(683_000, 247_000, 'EPSG:2056')).toBe(false);
    expect(fitsCrs(683_000, 247_000, 'EPSG:21781')).toBe(true);
    expect(fitsCrs(0, 0, 'EPSG:2056')).toBe(false);
  });

  it('is generous with UTM a zone over', () => {
    // Trieste, 13.8° E, in zone 32.
    expect(fitsCrs(871_000, 5_064_000, 'EPSG:32632')).toBe(true);
  });

  it.each([NaN, Infinity, -Infinity])('refuses %s in either place, for every kind of system', (value) => {
    for (const crs of ['EPSG:4326', 'EPSG:3857', 'EPSG:2056', 'EPSG:32632']) {
      expect(fitsCrs(value, 1, crs)).toBe(false);
      expect(fitsCrs(1, value, crs)).toBe(false);
    }
  });

  it('holds the limits of degrees, the limits included', () => {
    expect(fitsCrs(180, 90, 'EPSG:4326')).toBe(true);
    expect(fitsCrs(-180, -90, 'EPSG:4326')).toBe(true);
    expect(fitsCrs(180.001, 0, 'EPSG:4326')).toBe(false);
    expect(fitsCrs(0, -90.001, 'EPSG:4326')).toBe(false);
  });
});

describe('describeMisfit', () => {
  it('is null when all fit', () => {
    expect(
      describeMisfit(
        [
          [8.5, 47.3],
          [7.4, 46.9],
        ],
        'EPSG:4326',
      ),
    ).toBeNull();
    expect(describeMisfit([], 'EPSG:4326')).toBeNull();
  });

  it('counts, names the system and shows the first', () => {
    const text = describeMisfit(
      [
        [8.5, 47.3],
        [200, 10],
        [300, 20],
      ],
      'EPSG:4326',
    );
    expect(text).toContain('2 positions');
    expect(text).toContain('EPSG:4326 (WGS 84)');
    expect(text).toContain('200, 10');
  });

  it('does not propose an exchange that only helps some', () => {
    expect(
      describeMisfit(
        [
          [95, 140],
          [500, 500],
        ],
        'EPSG:4326',
      ),
    ).not.toContain('exchanged');
  });
});
