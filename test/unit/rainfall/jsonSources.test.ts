import { describe, expect, it } from 'vitest';
import { codeOf, flags, messageOf, read, reasons, totals } from './support.ts';

const place = (lon: number, hourly: object, extra: object = {}): object => ({
  latitude: 46,
  longitude: lon,
  elevation: 300,
  utc_offset_seconds: 0,
  hourly_units: { time: 'iso8601', precipitation: 'mm' },
  hourly,
  ...extra,
});
const times = ['2026-05-10T09:00', '2026-05-10T10:00', '2026-05-10T11:00'];

describe('JSON', () => {
  it('a list of objects; null is missing and not zero (O-37)', () => {
    const reading = read([
      { station: 'a', lon: 8.9, lat: 46, rain_mm: 2.5 },
      { station: 'b', lon: 8.91, lat: 46.01, rain_mm: null },
      { station: 'c', lon: 8.92, lat: 46.02 },
    ]);
    expect(totals(reading)).toEqual({ a: 2.5 });
    expect(reasons(reading)).toEqual(['MISSING_BLANK', 'MISSING_BLANK']);
    expect(reading.report.format).toMatchObject({ delimiter: null, header_line: null });
    expect(reading.report.rejected[0]).toMatchObject({ line: 2, station_id: 'b' });
  });

  it('the only list inside an object, and nested quantities by their path', () => {
    const file = {
      meta: { n: 1 },
      data: [{ id: 'a', lon: 8.9, lat: 46, precipitation: { value: 3, unitCode: 'wmoUnit:mm' } }],
    };
    expect(totals(read(file, { schema: { value: 'precipitation.value', unit: 'mm' } }))).toEqual({ a: 3 });
  });

  it('GeoJSON points are WGS 84 unless a crs member says otherwise', () => {
    const point = (id: string, coordinates: number[]): object => ({
      type: 'Feature',
      id,
      geometry: { type: 'Point', coordinates },
      properties: { rain_mm: 4 },
    });
    const wgs = read({ type: 'FeatureCollection', features: [point('a', [8.9, 46])] });
    expect([wgs.crs, totals(wgs)]).toEqual(['EPSG:4326', { a: 4 }]);
    const lv95 = read({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2056' } },
      features: [point('a', [2_600_000, 1_200_000])],
    });
    expect([lv95.crs, totals(lv95)]).toEqual(['EPSG:2056', { a: 4 }]);
  });

  it.each([
    ['a number', '5'],
    ['an object without lists', '{"a":1}'],
    ['two lists', '{"a":[{"x":1}],"b":[{"x":1}]}'],
    ['truncated', '[{"id":"a"'],
    ['not JSON', '{id: 1}'],
    ['mismatched brackets', '[{"a":1]}'],
  ])('refuses %s', (_, text) => {
    expect(codeOf(() => read(text))).toBe('UPLOAD_INVALID');
  });

  it('an answer that is an error is refused with its reason', () => {
    expect(messageOf(() => read({ error: true, reason: 'Daily limit exceeded' }))).toContain('Daily limit exceeded');
  });
});

describe('Open-Meteo', () => {
  it('columns of several places become rows; the hour ends at its time; it is called model output', () => {
    const reading = read([
      place(8.9, { time: times, precipitation: [1, 2, 3] }),
      place(9, { time: times, precipitation: [0, 0, 0.5] }),
    ]);
    expect(totals(reading)).toEqual({ 0: 6, 1: 0.5 });
    expect(reading.report.period_utc).toEqual(['2026-05-10T08:00:00Z', '2026-05-10T11:00:00Z']);
    expect(reading.report.assumptions[0]).toContain('model output');
  });

  it('local times become UTC by the offset in the file', () => {
    const reading = read(place(8.9, { time: times, precipitation: [1, 2, 3] }, { utc_offset_seconds: 7200 }));
    expect(reading.report.period_utc).toEqual(['2026-05-10T06:00:00Z', '2026-05-10T09:00:00Z']);
  });

  it('Unix times are UTC already; inches are converted', () => {
    const unix = times.map((time) => Date.parse(`${time}Z`) / 1000);
    const reading = read(
      place(
        8.9,
        { time: unix, precipitation: [1, 0, 0] },
        { utc_offset_seconds: 7200, hourly_units: { precipitation: 'inch' } },
      ),
    );
    expect(reading.report.period_utc?.[1]).toBe('2026-05-10T11:00:00Z');
    expect([totals(reading), flags(reading)]).toEqual([{ 0: 25.4 }, ['UNIT_CONVERTED']]);
  });

  it('O-37 null hours are missing', () => {
    expect(read(place(8.9, { time: times, precipitation: [1, null, 3] })).report.counts).toMatchObject({
      INCOMPLETE_WINDOW: 1,
    });
  });

  it('two places on one grid cell are one place', () => {
    const same = { time: times, precipitation: [1, 2, 3] };
    expect(reasons(read([place(8.9, same), place(8.9, same)]))).toEqual(['DUPLICATE_SAME_VALUE']);
  });

  it.each([
    ['columns of different length', { time: times, precipitation: [1] }],
    ['no rain column', { time: times, temperature: [1, 2, 3] }],
  ])('refuses %s', (_, hourly) => {
    expect(codeOf(() => read(place(8.9, hourly)))).toBe('UPLOAD_INVALID');
  });

  it('places that state different units are refused', () => {
    const hourly = { time: times, precipitation: [1, 2, 3] };
    expect(
      codeOf(() => read([place(8.9, hourly), place(9, hourly, { hourly_units: { precipitation: 'inch' } })])),
    ).toBe('UPLOAD_INVALID');
  });
});
