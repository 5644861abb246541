import { describe, expect, it } from 'vitest';
import { contentDisposition, markedFileName, safeFileName } from '../../../src/artifacts/fileNames.ts';
import { artifactCsp, artifactHeaders, etagMatches } from '../../../src/artifacts/serve.ts';

const hash = `sha256-${'A'.repeat(43)}=`;
const map = {
  sha256: 'ab'.repeat(32),
  bytes: 10,
  mediaType: 'text/html; charset=utf-8',
  fileName: 'map.html',
  labels: { integrity: [] as string[] },
};

describe('headers of an artifact', () => {
  it('a map is shown, sandboxed, with its own scripts and nothing else', () => {
    expect(artifactHeaders(map, { scriptHashes: [hash] })).toEqual({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': '10',
      'Content-Disposition': 'inline; filename="map.html"',
      'Content-Security-Policy': `sandbox allow-scripts; default-src 'none'; script-src '${hash}'; style-src 'unsafe-inline'; img-src data:`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'private, no-cache',
      ETag: `"${map.sha256}"`,
    });
  });

  it('html without known scripts runs none', () => {
    const policy = artifactHeaders(map)['Content-Security-Policy'];
    expect(policy).toContain("script-src 'none'");
    expect(policy).not.toContain('allow-scripts');
  });

  it.each(["sha256-x' 'unsafe-inline", 'unsafe-inline', '', 'sha256-AAAA=', `${hash}; img-src *`])(
    'a script hash cannot smuggle %j into the policy',
    (bad) => {
      expect(() => artifactCsp([bad])).toThrow(TypeError);
    },
  );

  it.each([
    'image/svg+xml',
    'IMAGE/SVG+XML; charset=utf-8',
    'text/csv',
    'application/xhtml+xml',
    'text/xml',
    'image/tiff',
  ])('%s is downloaded, never shown', (mediaType) => {
    expect(artifactHeaders({ ...map, mediaType })['Content-Disposition']).toMatch(/^attachment;/);
  });

  it.each(['image/png', 'application/json', 'application/geo+json'])('%s is shown', (mediaType) => {
    expect(artifactHeaders({ ...map, mediaType })['Content-Disposition']).toMatch(/^inline;/);
  });

  it('an upload is a download of plain bytes, whatever it claims to be', () => {
    const headers = artifactHeaders(map, { upload: true, scriptHashes: [hash] });
    expect(headers['Content-Type']).toBe('application/octet-stream');
    expect(headers['Content-Disposition']).toMatch(/^attachment;/);
    expect(headers['Content-Security-Policy']).toMatch(/^sandbox; .*script-src 'none'/);
  });

  it('synthetic data says so in its file name', () => {
    const headers = artifactHeaders({ ...map, labels: { integrity: ['synthetic'] } });
    expect(headers['Content-Disposition']).toBe('inline; filename="map.synthetic.html"');
  });

  it.each([
    [`"${map.sha256}"`, true],
    [`W/"${map.sha256}"`, true],
    [`"other", "${map.sha256}"`, true],
    ['*', true],
    ['"other"', false],
    [map.sha256, false],
    [null, false],
  ])('If-None-Match %s → %s', (header, matches) => {
    expect(etagMatches(header, map.sha256)).toBe(matches);
  });
});

describe('file names', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\rain.csv', 'rain.csv'],
    ['a"b\r\nSet-Cookie: x=1', 'a_b__Set-Cookie_ x=1'],
    ['invoice\u202ecsv.exe', 'invoice_csv.exe'],
    ['ra\u200bin.csv', 'ra_in.csv'],
    ['.htaccess', 'htaccess'],
    ['..', 'file'],
    ['', 'file'],
    ['\ud800.csv', '_.csv'],
    ['  rain  fall .csv ', 'rain fall .csv'],
    ['$(rm -rf).csv', '_(rm -rf).csv'],
  ])('%j becomes %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('a megabyte of name keeps its extension and little else', () => {
    const safe = safeFileName(`${'x'.repeat(5_000)}.csv`);
    expect(safe.length).toBeLessThanOrEqual(120);
    expect(safeFileName(`${'x'.repeat(500)}.csv`)).toMatch(/^x+\.csv$/);
  });

  it('marks once, before every extension', () => {
    const labels = { integrity: ['external', 'synthetic'] };
    expect(markedFileName('surface.tif', labels)).toBe('surface.synthetic.tif');
    expect(markedFileName('a.tar.gz', labels)).toBe('a.synthetic.tar.gz');
    expect(markedFileName('report', labels)).toBe('report.synthetic');
    expect(markedFileName(markedFileName('map.html', labels), labels)).toBe('map.synthetic.html');
    expect(markedFileName('map.html', { integrity: ['external'] })).toBe('map.html');
  });

  it('RFC 6266: a fallback for old clients, the whole name for the others', () => {
    expect(contentDisposition('attachment', 'Überflutung (1)’s.csv')).toBe(
      `attachment; filename="_berflutung (1)_s.csv"; filename*=UTF-8''%C3%9Cberflutung%20%281%29%E2%80%99s.csv`,
    );
  });
});
