import { describe, expect, it } from 'vitest';
import { fill } from '../../../src/tools/gis/map/fill.ts';
import { LABELS, LOCALES, localeOf } from '../../../src/tools/gis/map/labels.ts';
import {
  degreeLabel,
  graticuleStep,
  multiplesWithin,
  niceCeil,
  niceFloor,
} from '../../../src/tools/gis/map/niceSteps.ts';
import { formatLength, formatNumber, formatShare, formatTime, zoneOffset } from '../../../src/tools/gis/map/numbers.ts';
import { rainRamp, rampIndex } from '../../../src/tools/gis/map/rainRamp.ts';

describe('numbers for people', () => {
  it('uses the decimal sign of the language', () => {
    expect(LOCALES.map((locale) => formatNumber(12345.678, 1, locale))).toEqual(['12,345.7', '12.345,7', '12.345,7']);
    expect(formatNumber(-0.04, 1, 'en')).toBe('0.0');
    expect(formatNumber(-3.26, 1, 'it')).toBe('−3,3');
    expect(formatNumber(NaN, 1, 'en')).toBe('–');
  });

  it('never rounds a probability to certainty', () => {
    expect([0, 0.001, 0.496, 0.9999, 1].map((one) => formatShare(one, 'en'))).toEqual([
      '0 %',
      '< 1 %',
      '50 %',
      '> 99 %',
      '100 %',
    ]);
  });

  it('writes lengths in metres or kilometres', () => {
    expect([0, 999, 1000, 15_560].map((one) => formatLength(one, 'de'))).toEqual([
      '0 m',
      '999 m',
      '1,00 km',
      '15,56 km',
    ]);
  });

  it('writes UTC and local time across the change of clocks', () => {
    expect(formatTime('2026-03-29T00:30:00Z', 'Europe/Rome')).toBe('2026-03-29 01:30');
    expect(formatTime('2026-03-29T01:30:00Z', 'Europe/Rome')).toBe('2026-03-29 03:30');
    expect(formatTime('2026-01-01T00:00:00Z', 'UTC')).toBe('2026-01-01 00:00');
    expect(zoneOffset('2026-01-01T00:00:00Z', 'Europe/Rome')).toBe('UTC+1');
    expect(zoneOffset('2026-07-01T00:00:00Z', 'Asia/Kolkata')).toBe('UTC+5:30');
    expect(zoneOffset('2026-07-01T00:00:00Z', 'UTC')).toBe('UTC+0');
  });
});

describe('round steps', () => {
  it('finds 1, 2 and 5 below and the next round number above', () => {
    expect([0.7, 1, 3, 5, 9.99, 1200].map(niceFloor)).toEqual([0.5, 1, 2, 5, 5, 1000]);
    expect([0.7, 1, 1.1, 2.2, 3, 6].map(niceCeil)).toEqual([1, 1, 2, 2.5, 5, 10]);
  });

  it('puts three to eight lines into a view', () => {
    for (const span of [0.003, 0.04, 0.7, 3, 18, 200]) {
      const lines = multiplesWithin(0, span, graticuleStep(span, 3)).length;
      expect(lines, String(span)).toBeGreaterThanOrEqual(3);
      expect(lines, String(span)).toBeLessThanOrEqual(9);
    }
  });

  it('labels degrees with the side of the world in the language', () => {
    expect(degreeLabel(7.25, 'lon', 0.25, 'en')).toBe('7.25° E');
    expect(degreeLabel(-7.5, 'lon', 0.5, 'it')).toBe('7,5° O');
    expect(degreeLabel(9, 'lon', 1, 'de')).toBe('9° O');
    expect(degreeLabel(-45, 'lat', 5, 'en')).toBe('45° S');
    expect(degreeLabel(0, 'lat', 5, 'en')).toBe('0°');
  });
});

describe('rain ramp', () => {
  it('covers 0 to the maximum with classes of one round width, lightest first', () => {
    for (const max of [0.4, 7.3, 33, 71.5, 100, 684]) {
      const ramp = rainRamp(max);
      expect(ramp[0]?.from).toBe(0);
      expect(ramp.at(-1)!.to).toBeGreaterThanOrEqual(max);
      expect(ramp.length).toBeLessThanOrEqual(9);
      expect(ramp.length).toBeGreaterThanOrEqual(4);
      expect(new Set(ramp.map((one) => one.colour)).size).toBe(ramp.length);
    }
  });

  it('finds the class of a value, bounds belonging to the class above, the maximum to the last', () => {
    const ramp = rainRamp(80);
    expect(rampIndex(0, ramp)).toBe(0);
    expect(rampIndex(ramp[1]!.from, ramp)).toBe(1);
    expect(rampIndex(ramp.at(-1)!.to, ramp)).toBe(ramp.length - 1);
    expect(rampIndex(-1, ramp)).toBe(0);
  });

  it('has one class for a dry field', () => {
    expect(rainRamp(0)).toHaveLength(1);
  });
});

describe('texts of the map', () => {
  it('has the same places for values in every language', () => {
    const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const locale of LOCALES) {
      for (const [key, text] of Object.entries(LABELS[locale])) {
        expect(places(text), `${locale}.${key}`).toEqual(places(LABELS.en[key as keyof typeof LABELS.en]));
        expect(text, `${locale}.${key}`).not.toBe('');
      }
    }
  });

  it('translates everything that is not a sign or a code', () => {
    const same = Object.entries(LABELS.en).filter(([key, text]) => LABELS.it[key as keyof typeof LABELS.it] === text);
    expect(same.map(([key]) => key).sort()).toEqual(['north', 'windowUtc']);
  });

  it('never expands a value a second time', () => {
    expect(fill('{a} of {b}', { a: '{b}', b: 7 })).toBe('{b} of 7');
    expect(fill('{missing}', {})).toBe('{missing}');
  });

  it('falls back to English for other languages', () => {
    expect(['it-IT', 'DE', 'en-GB', 'fr', ''].map(localeOf)).toEqual(['it', 'de', 'en', 'en', 'en']);
  });
});
