import { describe, expect, it } from 'vitest';
import { codeOf, read, reasons, totals } from './support.ts';

const rows = (list: readonly (readonly [string, number, number])[], header = 'id,lon,lat,rain_mm'): string =>
  [header, ...list.map(([id, x, y], n) => `${id},${x},${y},${n + 1}`), ''].join('\n');

/** Eight gauges around Bellinzona. */
const network = Array.from({ length: 8 }, (_, n): [string, number, number] => [
  `s${n}`,
  8.9 + (n % 3) * 0.1,
  46.1 + Math.floor(n / 3) * 0.1,
]);

describe('O-38 exchanged coordinates', () => {
  it('O-38 one row among many: refused with the suggestion, never exchanged', () => {
    const reading = read(rows([...network, ['odd', 46.2, 9.0]]));
    expect(reading.report.rejected).toEqual([
      {
        line: 10,
        station_id: 'odd',
        reason: 'COORD_SWAP_SUSPECTED',
        lon: 46.2,
        lat: 9,
        suggested_lon: 9,
        suggested_lat: 46.2,
        mm: 9,
      },
    ]);
    expect(reading.stations.every((station) => station.x < 10)).toBe(true);
  });

  it('a decision for one station does not touch another', () => {
    const text = rows([...network, ['odd', 46.23, 9.03], ['even', 46.25, 9.05]]);
    const reading = read(text, {
      choices: [{ code: 'COORD_SWAP_SUSPECTED', stationId: 'odd', action: 'acceptSuggestion' }],
    });
    expect(reading.stations.find((station) => station.id === 'odd')).toMatchObject({
      x: 9.03,
      y: 46.23,
      flags: ['COORD_SWAP_SUSPECTED'],
    });
    expect(reasons(reading)).toEqual(['COORD_SWAP_SUSPECTED']);
  });

  it('easting and northing exchanged in LV95', () => {
    const lv95 = network.map(([id, x, y]): [string, number, number] => [
      id,
      2_700_000 + x * 1000,
      1_100_000 + y * 1000,
    ]);
    const text = rows([...lv95, ['odd', 1_150_000, 2_709_000]], 'id,easting_lv95,northing_lv95,rain_mm');
    const reading = read(text);
    expect(reading.report.rejected).toMatchObject([
      { station_id: 'odd', reason: 'COORD_SWAP_SUSPECTED', suggested_x: 2_709_000 },
    ]);
  });

  it('all rows exchanged so that no latitude is possible: each is refused with its suggestion', () => {
    const text = rows(network.map(([id], n) => [id, -20 - n * 0.1, 120 + n * 0.1]));
    const { report } = read(text);
    expect(report.counts).toEqual({ COORD_SWAP_SUSPECTED: 8 });
    expect(report.rejected[0]).toMatchObject({ suggested_lon: 120, suggested_lat: -20 });
  });

  it('a far but possible gauge is not ours to refuse', () => {
    expect(reasons(read(rows([...network, ['far', 12.5, 41.9]])))).toEqual([]);
  });
});

describe('O-38 values that cannot be in the stated system', () => {
  it('O-38 metres declared as degrees stop the file', () => {
    const { report, stations } = read(
      rows([
        ['a', -11_788_432, 4_821_816],
        ['b', -11_788_000, 4_821_000],
      ]),
    );
    expect(stations).toEqual([]);
    expect(report.file_error).toEqual({ reason: 'DEGREES_EXPECTED' });
    expect(report.rows_rejected).toBe(2);
  });

  it('one row in metres among degrees is refused alone', () => {
    const { report } = read(rows([...network.slice(0, 8), ['m', 2_600_000, 1_200_000]]));
    expect(report.rejected).toMatchObject([{ station_id: 'm', reason: 'DEGREES_EXPECTED' }]);
  });

  it('degrees declared as UTM stop the file, with what they look like', () => {
    const { report } = read(rows(network, 'id,x,y,rain_mm'), { schema: { crs: 'EPSG:32632' } });
    expect(report.file_error).toEqual({ reason: 'CRS_MISMATCH', suggested_crs: 'EPSG:4326' });
    expect(report.file_error_message).toContain('look like degrees');
  });

  it('LV03 values under LV03 headings are fine', () => {
    const reading = read(
      rows(
        [
          ['a', 600_000, 200_000],
          ['b', 610_000, 210_000],
        ],
        'id,easting_lv03,northing_lv03,rain_mm',
      ),
    );
    expect([reading.crs, reading.report.rows_accepted]).toEqual(['EPSG:21781', 2]);
  });
});

describe('area', () => {
  it('rows outside the asked area are refused; one that lies inside when exchanged says so', () => {
    const text = rows([
      ['in', 9, 46],
      ['out', 12, 42],
      ['odd', 46.1, 9.1],
    ]);
    const { report } = read(text, { area: [8, 45, 10, 47] });
    expect(report.rejected.map((entry) => [entry.station_id, entry.reason])).toEqual([
      ['out', 'OUT_OF_AREA'],
      ['odd', 'COORD_SWAP_SUSPECTED'],
    ]);
  });

  it('O-38 west > east crosses 180° and is not the rest of the world', () => {
    const text = rows([
      ['fiji', 178.4, -18.1],
      ['samoa', -171.8, -13.8],
      ['rome', 12.5, 41.9],
    ]);
    expect(totals(read(text, { area: [170, -20, -170, -10] }))).toEqual({ fiji: 1, samoa: 2 });
  });

  it('an area upside down is refused before anything is read', () => {
    expect(codeOf(() => read(rows(network), { area: [8, 47, 10, 45] }))).toContain('south');
  });
});
