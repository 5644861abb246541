import { describe, expect, it } from 'vitest';
import { codeOf, flags, gauges, messageOf, read, reasons, totals } from './support.ts';
import { readRainfallArgs } from '../../../src/tools/gis/rainfall/args.ts';
import { readRainfall } from '../../../src/tools/gis/rainfall/readRainfall.ts';

const bytes = (text: string, encoding: BufferEncoding): Uint8Array => Buffer.from(text, encoding);
const readBytes = (file: Uint8Array): ReturnType<typeof read> =>
  readRainfall(file, '', readRainfallArgs.parse({ source: 'sample' }), 0);

describe('how a table is written', () => {
  it.each([
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
    ['pipe', '|'],
  ])('finds the delimiter: %s', (_, mark) => {
    const reading = read(gauges(['1.5', '2.5', '3.5']).replaceAll(',', mark));
    expect(reading.report.format?.delimiter).toBe(mark);
    expect(totals(reading)).toEqual({ s1: 1.5, s2: 2.5, s3: 3.5 });
  });

  it.each([
    ['German', 'Stations-Nr;Länge;Breite;Niederschlag_mm'],
    ['Italian', 'codice;longitudine;latitudine;pioggia_mm'],
    ['French', 'numéro;longitude;latitude;Précipitations (mm)'],
    ['Spanish', 'estación id;longitud;latitud;Lluvia [mm]'],
    ['English', 'StationId;Lon;Lat;Rainfall mm'],
  ])('knows headings in %s, with decimal commas', (_, header) => {
    const reading = read(`${header}\n1;8,95;46,01;12,5\n2;8,96;46,02;0,4\n`);
    expect(totals(reading)).toEqual({ 1: 12.5, 2: 0.4 });
    expect(reading.crs).toBe('EPSG:4326');
  });

  it('reads quotes, quoted delimiters, doubled quotes and line ends inside quotes', () => {
    const text = 'id,name,lon,lat,rain_mm\n"a","Monte ""Uno"", sud\nnord",8.9,46.0,1\nb,Due,8.91,46.01,2\n';
    const reading = read(text);
    expect(reading.stations[0]?.name).toBe('Monte "Uno", sud\nnord');
    expect(reading.report.rows_total).toBe(2);
  });

  it('numbers the line where a record starts, also after a record of several lines', () => {
    const text = 'id,name,lon,lat,rain_mm\na,"x\ny\nz",8.9,46.0,1\nb,q,8.91,46.01,-5\n';
    expect(read(text).report.rejected[0]).toMatchObject({ line: 5, station_id: 'b', reason: 'NEGATIVE' });
  });

  it('a comment after the header is no row, a row that begins with # and has all columns is one', () => {
    const text = gauges(['1', '2']) + '# calibrated in April\n#7,8.99,46.09,3\n';
    const reading = read(text);
    expect(reading.report.rows_total).toBe(3);
    expect(totals(reading)['#7']).toBe(3);
  });

  it('bare carriage returns are line ends', () => {
    const reading = read(gauges(['1', '2']).replaceAll('\n', '\r'));
    expect(reading.report.format?.line_end).toBe('CR');
    expect(reading.report.rows_accepted).toBe(2);
  });

  it('UTF-16 with its mark', () => {
    const text = gauges(['1', '2']);
    const reading = readBytes(Buffer.concat([Buffer.from([0xff, 0xfe]), bytes(text, 'utf16le')]));
    expect(reading.report.format).toMatchObject({ encoding: 'utf-16le', bom: true });
    expect(reading.report.rows_accepted).toBe(2);
  });

  it('a file that is windows-1252 throughout', () => {
    const reading = readBytes(bytes('id,name,lon,lat,rain_mm\na,Zürich,8.9,46.0,1\nb,Höhe,8.91,46.01,2\n', 'latin1'));
    expect(reading.report.format?.encoding).toBe('windows-1252');
    expect(reading.stations.map((station) => station.name)).toEqual(['Zürich', 'Höhe']);
    expect(flags(reading)).toEqual([]);
  });

  it('one line in another encoding is read and marked', () => {
    const parts = [
      bytes('id,name,lon,lat,rain_mm\na,Zürich,8.9,46.0,1\n', 'utf8'),
      bytes('b,Höhe,8.91,46.01,2\n', 'latin1'),
    ];
    const reading = readBytes(Buffer.concat(parts));
    expect(reading.report.flagged).toEqual([{ line: 3, station_id: 'b', flag: 'MIXED_ENCODING' }]);
    expect(reading.stations.map((station) => station.name)).toEqual(['Zürich', 'Höhe']);
  });

  it('a row with missing columns is refused, trailing delimiters are not', () => {
    const text = 'id,lon,lat,rain_mm\na,8.9,46.0,1,,\nb,8.91,46.01\nc,8.92,46.02,3,x\n';
    expect(reasons(read(text))).toEqual(['COLUMN_COUNT', 'COLUMN_COUNT']);
  });

  it.each([
    ['nothing but text', 'just a letter\nwith lines\n'],
    ['numbers without a header', '1,2,3\n4,5,6\n'],
    ['empty', ''],
  ])('refuses a file with no table: %s', (_, text) => {
    expect(codeOf(() => read(text))).toBe('UPLOAD_INVALID');
  });

  it('refuses an open quote and says so', () => {
    expect(messageOf(() => read('id,lon,lat,rain_mm\na,8.9,46,1\nb,"8.91,46,2\n'))).toContain(
      'quoted text is not closed',
    );
  });

  it('thousands separators: clear ones are understood and marked, an ambiguous one is refused', () => {
    const text =
      "id;easting_lv95;northing_lv95;rain_mm\na;2'600'000;1'200'000;1.5\nb;2 610 000;1 210 000;2.5\nc;2620000;1220000;1,234\n";
    const reading = read(text);
    expect(reading.stations.map(({ id, x }) => [id, x])).toEqual([
      ['a', 2_600_000],
      ['b', 2_610_000],
    ]);
    expect(new Set(flags(reading))).toEqual(new Set(['THOUSANDS_SEPARATOR']));
    expect(reading.report.rejected).toMatchObject([{ station_id: 'c', reason: 'THOUSANDS_SEPARATOR', value: '1,234' }]);
  });
});
