import { describe, expect, it } from 'vitest';
import { crsInfo, findCrs, sameCrs } from '../../../../src/tools/gis/crs/crsInfo.ts';
import { CRS_DEFINITIONS } from '../../../../src/tools/gis/crs/definitions.ts';
import { codeOf } from '../../../support/gis/inputs.ts';

describe('crsInfo', () => {
  it.each([
    ['EPSG:4326', 'EPSG:4326'],
    ['4326', 'EPSG:4326'],
    [' epsg:2056 ', 'EPSG:2056'],
    ['urn:ogc:def:crs:EPSG::32632', 'EPSG:32632'],
    ['urn:ogc:def:crs:EPSG:9.8.5:3035', 'EPSG:3035'],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:4326'],
    ['OGC:CRS84', 'EPSG:4326'],
    ['CRS84', 'EPSG:4326'],
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'EPSG:4326'],
    ['http://www.opengis.net/def/crs/EPSG/0/2056', 'EPSG:2056'],
  ])('reads %s as %s', (text, id) => {
    expect(crsInfo(text).id).toBe(id);
  });

  it.each(['102100', '102113', '900913', 'EPSG:900913', 'EPSG:3785'])(
    'O-38 maps the alias %s to EPSG:3857',
    (alias) => {
      expect(crsInfo(alias).id).toBe('EPSG:3857');
      expect(sameCrs(alias, 'EPSG:3857')).toBe(true);
    },
  );

  it.each([
    '',
    'EPSG:',
    'EPSG:999999',
    'WGS 84',
    '4326.0',
    '-4326',
    'EPSG:4326 ; DROP',
    '+proj=longlat',
    'constructor',
    '__proto__',
    '1e3',
  ])('refuses %j and does not guess', async (text) => {
    expect(findCrs(text)).toBeUndefined();
    expect(await codeOf(() => crsInfo(text))).toBe('INVALID_ARGUMENT');
  });

  it('does not echo a long hostile name whole', () => {
    try {
      crsInfo('x'.repeat(1_000_000));
    } catch (error) {
      expect(String(error).length).toBeLessThan(400);
    }
    expect.assertions(1);
  });

  it('never calls two unknown systems the same', () => {
    expect(sameCrs('EPSG:999999', 'EPSG:999999')).toBe(false);
  });

  it('knows degrees and pseudo-Mercator as not metric, national grids and UTM as metric', () => {
    for (const code of [4326, 4258, 6706, 4265, 3857])
      expect(CRS_DEFINITIONS.get(code)?.metric, String(code)).toBe(false);
    for (const code of [2056, 21781, 3003, 3004, 3035, 6707, 7791, 25832, 32632, 32733, 27700]) {
      expect(CRS_DEFINITIONS.get(code)?.metric, String(code)).toBe(true);
    }
  });

  it('has an area of use for every system, west of east and south of north', () => {
    for (const { code, area } of CRS_DEFINITIONS.values()) {
      const [west, south, east, north] = area;
      expect(
        west < east && south < north && west >= -180 && east <= 180.2 && south >= -90 && north <= 90,
        String(code),
      ).toBe(true);
    }
  });

  it('has all UTM zones of both hemispheres', () => {
    for (let zone = 1; zone <= 60; zone += 1) {
      expect(CRS_DEFINITIONS.get(32600 + zone)?.name).toBe(`WGS 84 / UTM zone ${zone}N`);
      expect(CRS_DEFINITIONS.get(32700 + zone)?.name).toBe(`WGS 84 / UTM zone ${zone}S`);
    }
  });
});
