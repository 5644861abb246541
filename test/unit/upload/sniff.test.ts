import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sniffFormat, sniffMediaType } from '../../../src/tools/upload/sniff.ts';
import { codeOf, messageOf } from '../rainfall/support.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('what an upload is, by content', () => {
  it.each([
    ['id,lon,lat\n1,2,3', 'x.csv', 'csv'],
    ['\ufeffid;x;y', 'x.txt', 'csv'],
    ['{"type":"FeatureCollection","features":[]}', 'x.json', 'geojson'],
    ['  \n{ "type" : "Point", "coordinates": [1,2]}', '', 'geojson'],
    ['{"a":1}', 'x.json', 'json'],
    ['{"a":1}', 'x.geojson', 'geojson'],
    ['[{"id":1}]', '', 'json'],
    ['ncols 10\nnrows 5\n', 'dem.asc', 'asciiGrid'],
    ['NCOLS 10\r\n', '', 'asciiGrid'],
    ['II*\u0000\u0008\u0000\u0000\u0000', 'x', 'geotiff'],
    ['MM\u0000*\u0000\u0000\u0000\u0008', 'x', 'geotiff'],
    ['II+\u0000\u0008\u0000\u0000\u0000', 'x', 'geotiff'],
  ])('%j named %j is %s', (content, name, format) => {
    expect(sniffFormat(new TextEncoder().encode(content), name).format).toBe(format);
  });

  it.each([
    ['zip', 'PK\x03\x04....', 'ZIP'],
    ['GeoPackage', 'SQLite format 3\0....', 'GeoPackage'],
    ['gzip', gzipSync('x').toString('latin1'), 'gzip'],
    ['ELF', '\x7fELF\x02\x01', 'executable'],
    ['Windows program', 'MZ\x90\0\x03', 'executable'],
    ['shell script', '#!/bin/sh\nrm -rf /', 'script'],
    ['PDF', '%PDF-1.7', 'PDF'],
    ['HDF5', '\x89HDF\r\n', 'HDF5'],
    ['shapefile', '\0\0\x27\x0a', 'shapefile'],
    ['PNG', '\x89PNG\r\n', 'PNG'],
    ['tar', `${'\0'.repeat(257)}ustar`, 'tar'],
    ['HTML', '<!DOCTYPE html><script>', 'markup'],
    ['SVG', '<svg onload=alert(1)>', 'markup'],
    ['unknown binary', 'abc\0\0\0def', 'binary'],
    ['nothing', '', 'empty'],
  ])('%s is refused by name, with what is taken instead', (_, content, word) => {
    expect(codeOf(() => sniffFormat(bytes(content), 'rain.csv'))).toBe('UPLOAD_INVALID');
    expect(messageOf(() => sniffFormat(bytes(content), 'rain.csv'))).toContain(word);
  });

  it('media types', () => {
    expect(sniffMediaType(bytes('a,b\n'), '')).toBe('text/csv');
    expect(sniffMediaType(bytes('{"type":"Feature"}'), '')).toBe('application/geo+json');
  });

  it('UTF-16 text is text', () => {
    expect(sniffFormat(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('id,lon', 'utf16le')]), '').format).toBe(
      'csv',
    );
  });
});
