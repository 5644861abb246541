import { makeAssets } from './makeAssets.ts';
import { makeGauges } from './makeGauges.ts';
import { makeTerrain } from './makeTerrain.ts';
import { placesBeyond, samplePlaces } from './places.ts';

/** Name and content of every file of the bundled sample, made from the formulas of `region.ts` with fixed seeds. */
export function sampleFiles(): Map<string, Uint8Array> {
  const places = samplePlaces();
  const lines = (open: string, items: readonly unknown[], close: string): Uint8Array =>
    new TextEncoder().encode(`${open}\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n${close}\n`);
  return new Map([
    ['gauges.json', lines('[', makeGauges(places), ']')],
    [
      'assets.geojson',
      lines('{"type":"FeatureCollection","features":[', makeAssets(places, placesBeyond()).features, ']}'),
    ],
    ['terrain.tif', makeTerrain()],
  ]);
}
