import { describe, expect, it } from 'vitest';
import { CRS_DEFINITIONS, type CrsDefinition } from '../../../../src/tools/gis/crs/definitions.ts';
import { transformer } from '../../../../src/tools/gis/crs/transformer.ts';
import { gdal } from '../../../support/gis/gdal.ts';

/** Some positions well inside the area of use, so that no other operation of the registry takes over at the edge. */
function probes({ area: [west, south, east, north] }: CrsDefinition): [number, number][] {
  const at = (fx: number, fy: number): [number, number] => [
    west + (east - west) * fx,
    Math.min(80, south + (north - south) * fy),
  ];
  return [at(0.5, 0.5), at(0.35, 0.4), at(0.65, 0.55)];
}

/** Listed systems, and a few of the UTM zones that are made by rule. */
const chosen = [...CRS_DEFINITIONS.values()].filter(
  ({ code }) =>
    !/^(?:326|327|258)\d\d$/.test(String(code)) || [32601, 32632, 32660, 32733, 25828, 25832, 25838].includes(code),
);

describe('definitions against GDAL', () => {
  it.each(chosen.map((definition) => [`EPSG:${definition.code} ${definition.name}`, definition] as const))(
    '%s puts positions where GDAL puts them',
    async (_name, definition) => {
      const geographic = probes(definition);
      // gdaltransform takes and gives east before north, whatever the official order of the axes is.
      const theirs = await (
        await gdal()
      ).gdaltransform(
        geographic.map(([lon, lat]) => [lon, lat]),
        ['-s_srs', 'EPSG:4326', '-t_srs', `EPSG:${definition.code}`],
      );
      const tolerance = definition.kind === 'geographic' ? 1e-4 : Math.max(0.01, definition.accuracyM * 2.5);
      geographic.forEach(([lon, lat], index) => {
        const ours = transformer('EPSG:4326', String(definition.code))(lon, lat);
        const [x = NaN, y = NaN] = theirs[index] ?? [];
        expect(
          Math.hypot(ours[0] - x, ours[1] - y),
          `${lon}, ${lat}: ${ours.join(' ')} against ${x} ${y}`,
        ).toBeLessThan(tolerance);
      });
    },
    60_000,
  );
});
