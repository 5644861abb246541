import { describe, expect, it } from 'vitest';
import { codeOf, flags, messageOf, read, reasons, totals } from './support.ts';

/** Files in the shape of those that weather services publish; values invented. */

describe('SIR Toscana: semicolons, decimal comma, long preamble, quality in the last column', () => {
  const file = (more = ''): string =>
    [
      'Servizio Idrologico Regionale',
      'Dati pluviometrici giornalieri',
      'Stazione: Prova;TOS00000001',
      'Coordinate Gauss-Boaga (EPSG:3003)',
      'Note: i valori mancanti sono lasciati in bianco',
      ...Array.from({ length: 14 }, () => ''),
      'codice;nome;est;nord;data;Precipitazione [mm];Qualità',
      'T1;Pistoia;1655000,0;4866000,0;08/05/2026;12,4;V',
      'T1;Pistoia;1655000,0;4866000,0;09/05/2026;0,2;P',
      'T2;Prato;1668000,0;4860000,0;08/05/2026;;',
      'T2;Prato;1668000,0;4860000,0;09/05/2026;3,0;V',
      'T3;Vernio;1669000,0;4879000,0;08/05/2026;7,5;X',
      'T3;Vernio;1669000,0;4879000,0;09/05/2026;1,0;V',
      more,
    ].join('\r\n');
  const window = { from: '2026-05-08T00:00:00Z', to: '2026-05-10T00:00:00Z' };

  it('two days are summed; a blank day and a failed check refuse the station', () => {
    const reading = read(file(), { window });
    expect(reading.report.format).toMatchObject({ delimiter: ';', decimal: ',', header_line: 20, line_end: 'CRLF' });
    expect([reading.crs, totals(reading)]).toEqual(['EPSG:3003', { T1: 12.6 }]);
    expect(reading.report.counts).toEqual({ INCOMPLETE_WINDOW: 2, MISSING_BLANK: 1, QUALITY_FAILED: 1 });
    expect(reading.stations[0]).toMatchObject({ id: 'T1', name: 'Pistoia', x: 1_655_000 });
  });

  it('one day alone is one day', () => {
    const day = { from: '2026-05-09T00:00:00Z', to: '2026-05-10T00:00:00Z' };
    expect(totals(read(file(), { window: day }))).toEqual({ T1: 0.2, T2: 3, T3: 1 });
  });

  it('the day before belongs to nobody', () => {
    const before = { from: '2026-05-07T00:00:00Z', to: '2026-05-08T00:00:00Z' };
    expect(codeOf(() => read(file(), { window: before }))).toBe('WINDOW_MISMATCH');
  });
});

describe('ARPA Lombardia: times without zone in UTC+1 all year, sentinel, state', () => {
  const rows = (sensor: string, x: number, values: readonly (number | string)[], state = 'VA'): string[] =>
    values.map(
      (value, hour) => `${sensor},${x},5030000,2026-05-09 ${String(hour).padStart(2, '0')}:00:00,${value},${state}`,
    );
  const file = (lines: readonly string[]): string =>
    ['# UTM 32N EPSG:32632', 'idsensore,utm_est,utm_nord,data,valore,stato', ...lines, ''].join('\n');

  it('the schema states unit and zone', () => {
    const schema = { unit: 'mm', timeZone: '+01:00', timeLabel: 'end' };
    const text = file([...rows('8001', 515_000, [1, 2, 3, 0]), ...rows('8002', 520_000, [1, -9999, 3, 0])]);
    const reading = read(text, { schema });
    expect(reading.report.period_utc).toEqual(['2026-05-08T22:00:00Z', '2026-05-09T02:00:00Z']);
    expect(totals(reading)).toEqual({ 8001: 6 });
    expect(reading.report.rejected.map((entry) => [entry.station_id, entry.reason])).toEqual([
      ['8002', 'INCOMPLETE_WINDOW'],
      ['8002', 'MISSING_SENTINEL'],
    ]);
  });

  it('without a unit it is refused: "valore" says nothing', () => {
    expect(messageOf(() => read(file(rows('8001', 515_000, [1, 2]))))).toContain('"valore" states no unit');
  });

  it('two gauges at one site are one place', () => {
    const text = file([...rows('8001', 515_000, [1, 2]), ...rows('8003', 515_000, [1, 3])]);
    expect(reasons(read(text, { schema: { unit: 'mm' } }))).toEqual(['DUPLICATE_CONFLICT', 'DUPLICATE_CONFLICT']);
  });
});

describe('GHCN-Daily as CSV: tenths of a millimetre, flags', () => {
  const file = [
    'STATION,LATITUDE,LONGITUDE,ELEVATION,DATE,PRCP (1/10 mm),QFLAG',
    'IT000016239,41.8,12.5833,105.0,20260508,124,',
    'IT000016320,40.65,17.95,10.0,20260508,-9999,',
    'IT000160220,46.2,11.03,2125.0,20260508,T,',
    'IT000162580,41.65,15.95,838.0,20260508,35,X',
  ].join('\n');

  it('tenths become millimetres, and every special value its code', () => {
    const reading = read(file, { window: { from: '2026-05-08T00:00:00Z', to: '2026-05-09T00:00:00Z' } });
    expect(totals(reading)).toEqual({ IT000016239: 12.4, IT000160220: 0 });
    expect(reading.report.counts).toEqual({
      MISSING_SENTINEL: 1,
      QUALITY_FAILED: 1,
      TRACE_AS_ZERO: 1,
      UNIT_CONVERTED: 1,
    });
    expect(reading.stations.map((station) => station.elevationM)).toEqual([105, 2125]);
  });
});

describe('NWS observations: quantities are objects, null is common', () => {
  const feature = (id: string, lon: number, value: number | null): object => ({
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates: [lon, 40] },
    properties: { precipitationLastHour: { value, unitCode: 'wmoUnit:mm', qualityControl: 'V' } },
  });

  it('O-37 null is missing', () => {
    const collection = {
      type: 'FeatureCollection',
      features: [feature('a', -75, 2.5), feature('b', -75.1, null), feature('c', -75.2, 0)],
    };
    const schema = {
      value: 'precipitationLastHour.value',
      unit: 'mm',
      id: 'id',
      window: { from: '2026-05-10T11:00:00Z', to: '2026-05-10T12:00:00Z' },
    };
    const reading = read(collection, { schema });
    expect(totals(reading)).toEqual({ a: 2.5, c: 0 });
    expect(reasons(reading)).toEqual(['MISSING_BLANK']);
  });
});

describe('a reanalysis in metres', () => {
  it('is converted and marked; the hour ends at its time', () => {
    const rows = Array.from(
      { length: 24 },
      (_, n) => `p,11,44,${new Date(Date.UTC(2026, 4, 9, n + 1)).toISOString()},0.0005`,
    );
    const reading = read(['id,lon,lat,time,tp_m', ...rows].join('\n'), {
      window: { from: '2026-05-09T00:00:00Z', to: '2026-05-10T00:00:00Z' },
    });
    expect(totals(reading)).toEqual({ p: 12 });
    expect(flags(reading)).toEqual(['UNIT_CONVERTED']);
  });

  it('an hour above 500 mm is no hour of rain', () => {
    const rows = Array.from({ length: 4 }, (_, n) => `p,11,44,2026-05-09T0${n + 1}:00:00Z,${n === 2 ? 0.6 : 0.001}`);
    const reading = read(['id,lon,lat,time,tp_m', ...rows].join('\n'));
    expect(reading.report.counts).toMatchObject({ ABSURD_VALUE: 1, INCOMPLETE_WINDOW: 1 });
  });
});

describe('date and clock in two columns', () => {
  it('are one time', () => {
    const text = [
      'Station;Lon;Lat;Datum;Uhrzeit;Niederschlag_mm',
      'a;8,9;46,0;08.05.2026;06:00;1,0',
      'a;8,9;46,0;08.05.2026;07:00;2,0',
    ].join('\n');
    const reading = read(text, { schema: { timeZone: 'Europe/Zurich' } });
    expect(reading.report.period_utc).toEqual(['2026-05-08T03:00:00Z', '2026-05-08T05:00:00Z']);
    expect(reading.report.columns).toMatchObject({ time: 'Datum', clock: 'Uhrzeit' });
  });
});
