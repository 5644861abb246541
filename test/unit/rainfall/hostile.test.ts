import { describe, expect, it } from 'vitest';
import { codeOf, read } from './support.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '</script><img src=x onerror=alert(1)>',
  '\u202egnp.exe',
  'a\u200bb\u200d\ufeffc',
  '=HYPERLINK("http://evil","x")',
  '${7*7} {{7*7}} %s %n',
  "'; DROP TABLE stations; --",
  '\u0007\u001b[31mred',
  '🌧️ e\u0301',
];

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

describe('hostile names stay data', () => {
  it.each(HOSTILE)('%j as station id and name', (name) => {
    const reading = read(`id,name,lon,lat,rain_mm\n${quote(name)},${quote(name)},8.9,46,1\nb,B,8.91,46.01,2\n`);
    const station = reading.stations.find((one) => one.mm === 1);
    expect(station?.name).toBe(name);
    expect(station?.id).toBe(name.trim());
    expect(reading.report.accepted_mm[name.trim()]).toBe(1);
  });

  it('a name of a megabyte is kept; the report shows only its beginning', () => {
    const name = 'x'.repeat(1024 * 1024);
    const reading = read(`id,name,lon,lat,rain_mm\n${name},n,8.9,46,-1\nb,${name},8.91,46.01,2\n`);
    expect(reading.stations[0]?.name).toHaveLength(1024 * 1024);
    expect(String(reading.report.rejected[0]?.station_id).length).toBeLessThan(250);
  });

  it('headings as attack: shown cut, never matched to anything', () => {
    const heading = `<svg onload=alert(1)> ${'y'.repeat(5000)}`;
    const reading = read(`id,lon,lat,rain_mm,${quote(heading)}\na,8.9,46,1,z\n`);
    expect(Object.values(reading.report.columns ?? {})).not.toContain(heading);
    expect(reading.report.rows_accepted).toBe(1);
  });
});

describe('hostile files are refused in bounded time', () => {
  const bounded = (text: string | Uint8Array, code: string): void => {
    const start = performance.now();
    expect(codeOf(() => read(typeof text === 'string' ? text : new TextDecoder().decode(text)))).toBe(code);
    expect(performance.now() - start).toBeLessThan(5000);
  };

  it('a line of ten megabytes', () => bounded(`id,lon,lat,rain_mm\n${'1,'.repeat(5_000_000)}\n`, 'UPLOAD_INVALID'));

  it('an open quote over a large file', () =>
    bounded(`id,lon,lat,rain_mm\n"a${'\nx,8.9,46,1'.repeat(300_000)}`, 'UPLOAD_INVALID'));

  it('thousands of columns', () =>
    bounded(
      `id,lon,lat,rain_mm,${Array.from({ length: 5000 }, (_, n) => `c${n}`).join(',')}\na,8.9,46,1\n`,
      'UPLOAD_INVALID',
    ));

  it('JSON 5 000 deep', () => bounded(`${'['.repeat(5000)}${']'.repeat(5000)}`, 'UPLOAD_INVALID'));

  it('JSON 5 000 deep inside a text is just text', () => {
    expect(read([{ id: 'a', name: '['.repeat(5000), lon: 8.9, lat: 46, rain_mm: 1 }]).report.rows_accepted).toBe(1);
  });

  it('numbers written to hurt a regular expression', () => {
    const start = performance.now();
    const reading = read(
      `id;lon;lat;rain_mm\na;8.9;46;${'1 '.repeat(20_000)}x\nb;8.91;46.01;${"1'111".repeat(9000)}\n`,
    );
    expect(reading.report.counts).toEqual({ VALUE_UNREADABLE: 2 });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
