import { describe, expect, it } from 'vitest';
import { classify, type Hazard } from '../../../../src/tools/gis/exposure/classify.ts';
import type { Footprint } from '../../../../src/tools/gis/exposure/footprint.ts';
import { normalCdf, probabilityOfReaching } from '../../../../src/tools/gis/exposure/normal.ts';
import { percentileOf, resolveThreshold } from '../../../../src/tools/gis/exposure/threshold.ts';
import { codeOf, DAY } from '../../../support/gis/inputs.ts';

const hazard: Hazard = {
  rain: Float32Array.from([50, 31, 29, 10, NaN]),
  se: Float32Array.from([5, 5, 5, 5, NaN]),
  thresholdMm: 30,
  confidence: 0.9,
};
const on = (
  cells: readonly (readonly [number, number])[],
  total: number,
  kind: Footprint['kind'] = 'count',
  smallerThanCell = false,
): Footprint => ({ kind, cells: new Map(cells), total, smallerThanCell });

describe('Φ', () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [-1, 0.15865525393145707],
    [1.6448536269514722, 0.95],
    [1.2815515655446004, 0.9],
    [-3, 0.0013498980316300933],
    [5, 0.9999997133484281],
    [9, 1],
    [-9, 0],
    [Infinity, 1],
    [-Infinity, 0],
  ])('of %d is %d', (z, p) => {
    expect(normalCdf(z)).toBeCloseTo(p, 14);
  });

  it('is symmetric and rises', () => {
    let before = 0;
    for (let z = -8; z <= 8; z += 0.125) {
      expect(normalCdf(z) + normalCdf(-z)).toBeCloseTo(1, 14);
      expect(normalCdf(z)).toBeGreaterThanOrEqual(before);
      before = normalCdf(z);
    }
  });

  it('with no error is a certainty, the threshold itself reached', () => {
    expect([probabilityOfReaching(30, 0, 30), probabilityOfReaching(29.999, 0, 30)]).toEqual([1, 0]);
  });
});

describe('class of an asset', () => {
  it.each([
    [0, 'exceeds'],
    [1, 'undecided'],
    [2, 'undecided'],
    [3, 'below'],
    [4, 'notAssessed'],
  ])('in cell %d is %s', (cell, expected) => {
    expect(classify(on([[cell, 1]], 1), hazard).class).toBe(expected);
  });

  it('rests on the wettest cell, whose rain, error and probability it shows', () => {
    const one = classify(
      on(
        [
          [3, 60],
          [0, 40],
        ],
        100,
        'length_m',
      ),
      hazard,
    );
    expect(one).toMatchObject({
      class: 'exceeds',
      rain_mm: 50,
      se_mm: 5,
      measure: { kind: 'length_m', exposed: 40, total: 100 },
    });
    expect(one.probability).toBeCloseTo(normalCdf(4), 5);
  });

  it('O-37 is not assessed, never zero, where there is no rain value', () => {
    expect(classify(on([[4, 1]], 1), hazard)).toEqual({
      rain_mm: null,
      se_mm: null,
      class: 'notAssessed',
      probability: null,
      measure: { kind: 'count', exposed: 0, total: 1 },
      coverage: 0,
      note: 'outsideSurface',
    });
  });

  it('O-37 cannot be below when part of it lies where nothing is known', () => {
    const part = classify(
      on(
        [
          [3, 50],
          [4, 50],
        ],
        100,
        'length_m',
      ),
      hazard,
    );
    expect(part).toMatchObject({ class: 'undecided', coverage: 0.5, note: 'partlyOutside', rain_mm: 10 });
    expect(classify(on([[3, 50]], 100, 'length_m'), hazard).class).toBe('undecided');
  });

  it('exceeds even when only part of it is known', () => {
    expect(
      classify(
        on(
          [
            [0, 1],
            [4, 99],
          ],
          100,
          'length_m',
        ),
        hazard,
      ),
    ).toMatchObject({ class: 'exceeds', coverage: 0.01 });
  });

  it('says why there is nothing: no geometry', () => {
    expect(classify(on([], 0), hazard)).toMatchObject({ class: 'notAssessed', note: 'noGeometry' });
  });

  it('gives the share of an area, and marks one smaller than a cell', () => {
    expect(
      classify(
        on(
          [
            [0, 1],
            [3, 1],
            [2, 1],
            [1, 1],
          ],
          4,
          'area_share',
        ),
        hazard,
      ).measure,
    ).toEqual({ kind: 'area_share', exposed: 0.25, total: 1 });
    expect(classify(on([[0, 1]], 1, 'area_share', true), hazard).note).toBe('smallerThanCell');
  });

  it('at exactly the confidence exceeds, at exactly its mirror is below', () => {
    const sure = {
      ...hazard,
      rain: Float32Array.from([31, 29]),
      se: Float32Array.from([1, 1]),
      confidence: normalCdf(1),
    };
    expect(classify(on([[0, 1]], 1), sure).class).toBe('exceeds');
    expect(classify(on([[1, 1]], 1), { ...sure, confidence: 1 - normalCdf(-1) }).class).toBe('below');
  });
});

describe('threshold', () => {
  const rain = Float32Array.from([10, NaN, 20, 30, NaN, 40]);

  it.each([
    [0, 10],
    [100, 40],
    [50, 25],
    [25, 17.5],
  ])('percentile %d of the known cells is %d', (percentile, mm) => {
    expect(percentileOf(rain, percentile)).toBeCloseTo(mm, 6);
  });

  it('O-37 of a surface without any value is refused', async () => {
    const empty = Float32Array.from([NaN, NaN]);
    expect(percentileOf(empty, 50)).toBeNaN();
    expect(await codeOf(() => resolveThreshold({ basis: 'percentile', percentile: 90 }, empty, null))).toBe(
      'EMPTY_RESULT',
    );
  });

  it('for another duration than the rain is refused', async () => {
    const arg = { basis: 'fixed', mm: 30, durationHours: 6 } as const;
    expect(await codeOf(() => resolveThreshold(arg, rain, DAY))).toBe('WINDOW_MISMATCH');
    expect(resolveThreshold({ ...arg, durationHours: 24 }, rain, DAY).mm).toBe(30);
    expect(resolveThreshold(arg, rain, null).durationHours).toBe(6);
  });
});
