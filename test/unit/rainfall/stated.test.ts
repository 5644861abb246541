import { describe, expect, it } from 'vitest';
import { codeOf, flags, gauges, messageOf, read, totals } from './support.ts';
import { unitInNote } from '../../../src/tools/gis/rainfall/units.ts';
import { readHeading, epsgCodes } from '../../../src/tools/upload/headers.ts';

describe('unit: stated or refused', () => {
  it.each([
    ['rain_mm', 5],
    ['rain_tenth_mm', 0.5],
    ['precip (1/10 mm)', 0.5],
    ['rain_cm', 50],
    ['tp_m', 5000],
    ['precip_in', 127],
    ['rain [inches]', 127],
    ['precipitation kg m-2', 5],
  ])('heading %s: 5 is %d mm', (heading, mm) => {
    const reading = read(`id,lon,lat,${heading}\na,8.9,46,5\n`);
    if (mm > 1900) expect(reading.report.rejected).toMatchObject([{ reason: 'ABSURD_VALUE' }]);
    else expect(totals(reading)).toEqual({ a: mm });
  });

  it('nobody states it: refused, whatever the size of the numbers', () => {
    const text = gauges(['12.5', '3'], 'station_id,lon,lat,rain');
    expect(codeOf(() => read(text))).toBe('UNIT_MISMATCH');
    expect(messageOf(() => read(text))).toContain('schema.unit');
  });

  it('the schema overrides the heading', () => {
    expect(totals(read(gauges(['10']), { schema: { unit: 'tenth_mm' } }))).toEqual({ s1: 1 });
  });

  it('a comment states it; a comment against the heading is refused', () => {
    expect(totals(read(`# unit: mm\n${gauges(['3'], 'station_id,lon,lat,rain')}`))).toEqual({ s1: 3 });
    expect(codeOf(() => read(`# units: inches\n${gauges(['3'])}`))).toBe('UNIT_MISMATCH');
  });

  it.each([
    ['Einheit: mm; Bezugssystem: LV95', 'mm'],
    ['units: precipitation in inches, altitude in metres', 'in'],
    ['units: altitude in mm, rain in tenths of mm', 'tenth_mm'],
    ['measured in the mountains', null],
    ['unit of command', null],
  ])('note %j → %s', (note, unit) => {
    expect(unitInNote(note)).toBe(unit);
  });

  it('size only ever raises a doubt', () => {
    const small = read(gauges(['0.1', '0.4', '1.2', '0.9', '0.3', '0', '0.2', '1.9']));
    expect(flags(small)).toEqual(['UNIT_SUSPECT']);
    expect(small.report.rows_accepted).toBe(8);
    const large = read(gauges(['210', '300', '250', '280', '400', '220', '260', '240']));
    expect(flags(large)).toEqual(['UNIT_SUSPECT']);
    expect(flags(read(gauges(['0', '0', '0', '0', '0', '0', '0', '0'])))).toEqual([]);
  });
});

describe('coordinate system: stated or refused', () => {
  const projected = (header: string): string => `id,${header},rain_mm\na,495000,4917000,1\nb,496000,4918000,2\n`;

  it('nobody states it: refused', () => {
    expect(codeOf(() => read(projected('x,y')))).toBe('CRS_MISMATCH');
    expect(messageOf(() => read(projected('x,y')))).toContain('schema.crs');
  });

  it.each([
    ['schema', projected('x,y'), { schema: { crs: 'EPSG:32632' } }],
    ['comment', `# coordinates EPSG:32632\n${projected('x,y')}`, {}],
    ['heading', projected('easting_utm32n,northing_utm32n'), {}],
    ['URN in a comment', `# urn:ogc:def:crs:EPSG::32632\n${projected('x,y')}`, {}],
  ])('stated by %s', (_, text, args) => {
    expect(read(text, args).crs).toBe('EPSG:32632');
  });

  it('two systems in the comments decide nothing', () => {
    expect(codeOf(() => read(`# EPSG:32632 or EPSG:32633\n${projected('x,y')}`))).toBe('CRS_MISMATCH');
  });

  it('O-38 102100 and 900913 are pseudo-Mercator', () => {
    expect(epsgCodes('EPSG:102100')).toEqual(['EPSG:3857']);
    expect(read('id,x,y,rain_mm\na,990000,5780000,1\n', { schema: { crs: 'EPSG:900913' } }).crs).toBe('EPSG:3857');
  });

  it('an unknown system is refused by name', () => {
    expect(codeOf(() => read(projected('x,y'), { schema: { crs: 'EPSG:99999' } }))).toBe('INVALID_ARGUMENT');
  });
});

describe('columns', () => {
  it('a schema that names a missing column is refused with what there is', () => {
    expect(messageOf(() => read(gauges(['1']), { schema: { value: 'regen' } }))).toContain(
      'station_id, lon, lat, rain_mm',
    );
  });

  it('two rain columns and no way to choose', () => {
    expect(codeOf(() => read('id,lon,lat,rain_in,precip_cm\na,8.9,46,1,2\n'))).toBe('INVALID_ARGUMENT');
  });

  it('no coordinates', () => {
    expect(codeOf(() => read('id,name,rain_mm\na,b,1\n'))).toBe('INVALID_ARGUMENT');
  });

  it('no station names: rows are named by their line, and it is said', () => {
    const reading = read('lon,lat,rain_mm\n8.9,46,1\n8.91,46.1,2\n');
    expect(Object.keys(totals(reading))).toEqual(['row-2', 'row-3']);
    expect(reading.report.assumptions[0]).toContain('row-<line>');
  });

  it.each([
    ['Höhe_m_ü_M', 'altitude'],
    ['station_name', 'name'],
    ['running_total_mm', 'rain'],
    ['idsensore', 'id'],
    ['Rechtswert', 'easting'],
    ['time_utc', 'time'],
    ['QFLAG', 'quality'],
    ['constructor', null],
    ['__proto__', null],
  ])('heading %s is %s', (heading, role) => {
    expect(readHeading(heading).role).toBe(role);
  });
});
