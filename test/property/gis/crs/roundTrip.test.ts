import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CRS_DEFINITIONS } from '../../../../src/tools/gis/crs/definitions.ts';
import { findCrs } from '../../../../src/tools/gis/crs/crsInfo.ts';
import { fitsCrs } from '../../../../src/tools/gis/crs/fits.ts';
import { transformer } from '../../../../src/tools/gis/crs/transformer.ts';

const definitions = [...CRS_DEFINITIONS.values()];
const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe('coordinate systems', () => {
  it('bring every position of their area there and back to within a centimetre, and say that it fits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...definitions), unit, unit, (definition, fx, fy) => {
        const [west, south, east, north] = definition.area;
        const lon = Math.min(180, west + (east - west) * fx);
        const lat = Math.min(84, Math.max(-80, south + (north - south) * fy));
        const id = `EPSG:${definition.code}`;
        const [x, y] = transformer('EPSG:4326', id)(lon, lat);
        expect(fitsCrs(x, y, id)).toBe(true);
        const [backLon, backLat] = transformer(id, 'EPSG:4326')(x, y);
        const turn = Math.abs(backLon - lon);
        expect(Math.min(turn, 360 - turn) * Math.cos((lat * Math.PI) / 180)).toBeLessThan(2e-7);
        expect(Math.abs(backLat - lat)).toBeLessThan(2e-7);
      }),
      { numRuns: 2000 },
    );
  });

  it('never give a plausible number for an impossible position, and never throw', () => {
    const any = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, 1e308, -0, 90, -90, 180, 540));
    fc.assert(
      fc.property(fc.constantFrom(...definitions), fc.constantFrom(...definitions), any, any, (from, to, x, y) => {
        const [px, py] = transformer(String(from.code), String(to.code))(x, y);
        expect(Number.isNaN(px)).toBe(Number.isNaN(py));
        expect(typeof fitsCrs(x, y, String(from.code))).toBe('boolean');
        if (!Number.isFinite(x) || !Number.isFinite(y)) expect(fitsCrs(x, y, String(from.code))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('are not found under names that are no code', () => {
    fc.assert(
      fc.property(
        fc.string(),
        (text) => /^\s*(?:epsg:)?\d+\s*$/i.test(text) || findCrs(text) === undefined || /crs84|opengis|ogc/i.test(text),
      ),
    );
  });
});
