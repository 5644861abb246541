/** Post-conditions of a map: read back from the finished files, compared with the input. */
import type { CheckResult } from '../../../catalog/tool.ts';
import type { MapData } from './mapData.ts';
import type { ExposureInput } from './readInputs.ts';

const MIN_HTML = 10_000;
const MIN_PNG = 5_000;

/** The data block of a finished page, as any program would read it. Null when there is none. */
export function dataBlock(html: string): MapData | null {
  const match = /<script type="application\/json" id="map-data">([^<]*)<\/script>/.exec(html);
  return match?.[1] === undefined ? null : (JSON.parse(match[1]) as MapData);
}

/** Class names of the input with their counts, "not assessed" as null or `notAssessed`, in the order of the names. */
function inputCounts(exposure: ExposureInput, mode: MapData['mode']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { properties } of exposure.features) {
    const name = properties?.[mode === 'exposure' ? 'class' : 'screeningClass'];
    const key = typeof name === 'string' ? `class ${name}` : 'none';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const check = (name: string, passed: boolean, detail: string): CheckResult => ({ name, passed, detail });

/** The checks of `gis.generateMap`. */
export function mapChecks(exposure: ExposureInput, data: MapData, html: string, png: Uint8Array): CheckResult[] {
  const shown = dataBlock(html);
  const expected = inputCounts(exposure, data.mode);
  const differing = (shown?.classes ?? []).filter((one) => {
    const key = one.key === null ? 'none' : `class ${one.key}`;
    return one.count !== (expected.get(key) ?? 0);
  });
  const total = exposure.features.length;
  const counted = shown?.classes.reduce((sum, one) => sum + one.count, 0) ?? -1;
  const listed = shown?.assets.length ?? -1;
  const drawn = shown?.assets.filter((one) => one.geometry !== null).length ?? -1;
  const header = [0x89, 0x50, 0x4e, 0x47];
  return [
    check(
      'counts on the map equal counts in the input',
      shown !== null && differing.length === 0 && counted === total,
      `${counted} counted on the map, ${total} in the input, ${differing.length} classes differ`,
    ),
    check(
      'every asset is drawn or listed as without geometry',
      listed === total && drawn + data.withoutGeometry === total,
      `${drawn} drawn, ${data.withoutGeometry} without geometry, ${total} in the input`,
    ),
    check(
      'the HTML file is complete',
      html.length > MIN_HTML && html.trimEnd().endsWith('</html>'),
      `${html.length} characters`,
    ),
    check(
      'the PNG file is a picture',
      png.length > MIN_PNG && header.every((byte, index) => png[index] === byte),
      `${png.length} bytes`,
    ),
  ];
}
