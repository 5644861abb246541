import { describe, expect, it } from 'vitest';
import { loadAssetsTool } from '../../../src/tools/gis/assets/tool.ts';
import { input, json, rejection, runTool } from '../toolRun.ts';

const args = { source: { upload: 'a'.repeat(64) } };
const load = async (file: string, more: Record<string, unknown> = {}) =>
  runTool(loadAssetsTool, { ...args, ...more }, { source: input(file, 'assets.csv') });

describe('gis.loadAssets reads CSV points', () => {
  it('columns by their headings; numbers where a whole column is numbers', async () => {
    const result = await load('id,nome,lon,lat,cap,beds\nh1,Ospedale,9,46,00184,12\nh2,Scuola,9.1,46.1,20121,\n');
    const out = json(result, 'features');
    expect(out.features[0]).toEqual({
      type: 'Feature',
      id: 'h1',
      geometry: { type: 'Point', coordinates: [9, 46] },
      properties: { id: 'h1', nome: 'Ospedale', name: 'Ospedale', cap: '00184', beds: 12 },
    });
    expect(out.features[1].properties.beds).toBeNull();
    expect(result.outputs.get('features')?.type).toMatchObject({ geometry: 'point', crs: 'EPSG:4326' });
  });

  it('decimal comma and a projected system stated by a comment', async () => {
    const out = json(await load('# EPSG:32632\nx;y;valore\n500000,5;5100000,25;1,5\n'), 'features');
    expect(out.crs).toBe('EPSG:32632');
    expect(out.features[0].geometry.coordinates).toEqual([500_000.5, 5_100_000.25]);
    expect(out.features[0].properties).toEqual({ valore: 1.5 });
  });

  it('nobody states the system: refused; the argument states it', async () => {
    const text = 'x,y,name\n500000,5100000,a\n';
    expect(await rejection(load(text))).toBe('CRS_MISMATCH');
    expect(json(await load(text, { crs: 'EPSG:32632' }), 'features').features).toHaveLength(1);
  });

  it('rows without a position are left out with their line', async () => {
    const out = json(await load('id,lon,lat\na,9,46\nb,,46\nc,x,46\nd,9,46,extra\n'), 'features');
    expect(out.report.rejected).toEqual([
      { at: 3, reason: 'COORD_MISSING' },
      { at: 4, reason: 'COORD_MISSING' },
    ]);
    expect(out.features.map((one: { id: string }) => one.id)).toEqual(['a', 'd']);
  });

  it('named columns must exist; a layer has no meaning here', async () => {
    expect(await rejection(load('id,lon,lat\na,9,46\n', { columns: { x: 'east', y: 'north' } }))).toBe(
      'INVALID_ARGUMENT',
    );
    expect(await rejection(load('id,lon,lat\na,9,46\n', { layer: 'roads' }))).toBe('INVALID_ARGUMENT');
    expect(await rejection(load('id,name\na,b\n'))).toBe('INVALID_ARGUMENT');
  });

  it('the argument may confirm the format and not change it', async () => {
    expect(await rejection(load('id,lon,lat\na,9,46\n', { format: 'geojson' }))).toBe('UPLOAD_INVALID');
    expect(json(await load('id,lon,lat\na,9,46\n', { format: 'csv' }), 'features').features).toHaveLength(1);
  });

  it('a file without usable rows is an empty result', async () => {
    expect(await rejection(load('id,lon,lat\na,,\n'))).toBe('EMPTY_RESULT');
  });
});
