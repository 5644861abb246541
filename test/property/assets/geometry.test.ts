import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/plan/errors.ts';
import { AssetFindings } from '../../../src/tools/gis/assets/assetReport.ts';
import { boxOf, cleanGeometry } from '../../../src/tools/gis/assets/cleanGeometry.ts';
import { loadAssetsTool } from '../../../src/tools/gis/assets/tool.ts';
import { input, json, runTool } from '../../unit/toolRun.ts';

const position = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 40, max: 55 }));
const geometry = fc.oneof(
  fc.record({ type: fc.constant('Point'), coordinates: position }),
  fc.record({ type: fc.constant('LineString'), coordinates: fc.array(position, { maxLength: 5 }) }),
  fc.record({
    type: fc.constant('Polygon'),
    coordinates: fc.array(fc.array(position, { maxLength: 6 }), { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('Polygon'), coordinates: fc.jsonValue() }),
  fc.constant(null),
  fc.jsonValue(),
);
const feature = fc.record({
  type: fc.constant('Feature'),
  id: fc.oneof(fc.string(), fc.integer(), fc.constant(undefined)),
  geometry,
  properties: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.constant(null)),
});

const area = (ring: readonly number[][]): number =>
  ring.reduce(
    (sum, [x = 0, y = 0], n) =>
      sum + x * (ring[(n + 1) % ring.length]?.[1] ?? 0) - (ring[(n + 1) % ring.length]?.[0] ?? 0) * y,
    0,
  ) / 2;

describe('geometries', () => {
  it('cleaning twice is cleaning once, and the second time nothing is counted', () => {
    fc.assert(
      fc.property(geometry, (value) => {
        const once = cleanGeometry(value, new AssetFindings());
        if ('reason' in once) return;
        const findings = new AssetFindings();
        expect(cleanGeometry(once.geometry, findings)).toEqual(once);
        expect(findings.report(0).counts).toEqual({});
      }),
      { numRuns: 500 },
    );
  });

  it('rings that pass are closed and wound as RFC 7946 wants', () => {
    fc.assert(
      fc.property(geometry, (value) => {
        const cleaned = cleanGeometry(value, new AssetFindings());
        if ('reason' in cleaned || cleaned.geometry.type !== 'Polygon') return;
        cleaned.geometry.coordinates.forEach((ring, n) => {
          expect(ring[0]).toEqual(ring.at(-1));
          expect(Math.sign(area(ring))).toBe(n === 0 ? 1 : -1);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('the box holds every position', () => {
    fc.assert(
      fc.property(fc.array(position, { minLength: 2, maxLength: 10 }), (coordinates) => {
        const box = boxOf({ type: 'LineString', coordinates });
        expect(box.count).toBe(coordinates.length);
        for (const [x, y] of coordinates)
          expect(x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY).toBe(true);
      }),
    );
  });
});

describe('gis.loadAssets', () => {
  it('any collection is taken with every feature accounted for and unique ids, or refused with a code', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(feature, { maxLength: 12 }), async (features) => {
        const file = input(JSON.stringify({ type: 'FeatureCollection', features }), 'x.geojson');
        const result = await runTool(loadAssetsTool, { source: 'sample' }, { source: file }).catch(
          (error: unknown) => error,
        );
        if (result instanceof Error) {
          expect(result).toBeInstanceOf(ToolError);
          return;
        }
        const done = result as Awaited<ReturnType<typeof runTool>>;
        expect(done.checks.filter((check) => !check.passed)).toEqual([]);
        const out = json(done, 'features');
        expect(out.report.features_total).toBe(features.length);
        expect(new Set(out.features.map((one: { id: string }) => one.id)).size).toBe(out.features.length);
      }),
      { numRuns: 200 },
    );
  });
});
