import { describe, expect, it } from 'vitest';
import type { ObservationSet, Station } from '../../../src/tools/gis/formats.ts';
import { decodeObservations, encodeObservations } from '../../../src/tools/gis/observations/codec.ts';
import { validateObservationsTool } from '../../../src/tools/gis/observations/tool.ts';
import { input, json, rejection, runTool } from '../toolRun.ts';
import { codeOf } from '../rainfall/support.ts';

const stations = (values: readonly number[]): Station[] =>
  values.map((mm, n) => ({ id: `s${n}`, x: 2_600_000 + (n % 4) * 4000, y: 1_200_000 + Math.floor(n / 4) * 4000, mm }));
const set = (list: readonly Station[], extra: Partial<ObservationSet> = {}): ObservationSet => ({
  version: 1,
  quantity: 'rain',
  unit: 'mm',
  valueKind: 'interval',
  crs: 'EPSG:2056',
  window: null,
  validated: false,
  stations: list,
  source: { kind: 'upload', name: 'x', sha256: 'y', licence: '' },
  ...extra,
});
const run = async (given: ObservationSet, args: Record<string, unknown> = {}) =>
  runTool(validateObservationsTool, args, { observations: input(encodeObservations(given)) });

describe('gis.validateObservations', () => {
  it('passes good stations unchanged, as validated', async () => {
    const result = await run(set(stations([5, 6, 7, 8, 9, 10, 11, 12])));
    const after = json(result, 'observations');
    expect(after.validated).toBe(true);
    expect(after.stations).toEqual(stations([5, 6, 7, 8, 9, 10, 11, 12]));
    expect(json(result, 'report')).toMatchObject({
      stage: 'validate',
      rows_total: 8,
      rows_accepted: 8,
      accepted_sum_mm: 68,
      flagged: [],
    });
    expect(result.outputs.get('observations')?.type).toMatchObject({ validated: true, crs: 'EPSG:2056' });
  });

  it('fewer than three stations are refused; the number can be raised', async () => {
    expect(await rejection(run(set(stations([5, 6]))))).toBe('TOO_FEW_STATIONS');
    expect(await rejection(run(set(stations([5, 6, 7, 8])), { minStations: 5 }))).toBe('TOO_FEW_STATIONS');
  });

  it('a stopped file fails with what stopped it', async () => {
    const stopped = { code: 'CRS_MISMATCH_LV03', message: 'LV03, not LV95' };
    await expect(run(set([], { stopped }))).rejects.toMatchObject({
      code: 'CRS_MISMATCH',
      message: 'CRS_MISMATCH_LV03: LV03, not LV95',
    });
  });

  it('an outlier is marked and kept, unless a person drops it', async () => {
    const list = stations([20, 21, 22, 23, 21, 300, 22, 21, 20, 23, 22, 21]);
    const kept = await run(set(list));
    expect(json(kept, 'report').flagged).toMatchObject([{ station_id: 's5', flag: 'OUTLIER', mm: 300 }]);
    expect(json(kept, 'observations').stations[5]).toEqual({ ...list[5], flags: ['OUTLIER'] });
    const dropped = await run(set(list), { choices: [{ code: 'OUTLIER', stationId: 's5', action: 'drop' }] });
    expect(json(dropped, 'observations').stations).toHaveLength(11);
    expect(json(dropped, 'report')).toMatchObject({
      rows_rejected: 1,
      choices_applied: [{ code: 'OUTLIER', station_id: 's5', action: 'drop' }],
    });
  });

  it('stations at one place are one or none', async () => {
    const [first = { id: '', x: 0, y: 0, mm: 0 }] = stations([5]);
    const list = [
      ...stations([5, 6, 7, 8]),
      { ...first, id: 'twin' },
      { ...first, id: 'z', x: first.x + 4000, mm: 99 },
    ];
    const report = json(await run(set(list)), 'report');
    expect(report.rejected).toEqual([
      { station_id: 's1', reason: 'DUPLICATE_CONFLICT', value: '6', with: 'z' },
      { station_id: 'twin', reason: 'DUPLICATE_SAME_VALUE', value: '5', with: 's0' },
      { station_id: 'z', reason: 'DUPLICATE_CONFLICT', value: '99', with: 's1' },
    ]);
  });

  it('marks from reading stay beside new ones', async () => {
    const list = stations([20, 21, 22, 23, 21, 300, 22, 21, 20, 23, 22, 21]).map((station) => ({
      ...station,
      flags: ['TRACE_AS_ZERO'],
    }));
    expect(json(await run(set(list)), 'observations').stations[5].flags).toEqual(['OUTLIER', 'TRACE_AS_ZERO']);
  });

  it('its type rule keeps what is known', () => {
    const given = {
      kind: 'observations',
      quantity: 'rain',
      unit: 'mm',
      valueKind: 'interval',
      window: null,
      crs: 'EPSG:2056',
      validated: false,
    } as const;
    const rule = validateObservationsTool.types({ inputs: new Map([['observations', given]]), args: {} });
    expect(rule.outputs.get('observations')).toEqual({ ...given, validated: true });
  });
});

describe('codec', () => {
  it('reads what it writes', () => {
    const given = set(stations([1, 2, 3]), { window: { from: 'a', to: 'b' } });
    expect(decodeObservations(encodeObservations(given))).toEqual(given);
  });

  it.each([
    ['not JSON', '{'],
    ['another version', JSON.stringify({ ...set([]), version: 2 })],
    ['a negative total', JSON.stringify(set([{ id: 'a', x: 0, y: 0, mm: -1 }]))],
    ['an unknown member', JSON.stringify({ ...set([]), extra: 1 })],
    ['a missing position', JSON.stringify(set([{ id: 'a', x: 0, mm: 1 } as unknown as Station]))],
  ])('O-37 STATE_INVALID for %s', (_, text) => {
    expect(codeOf(() => decodeObservations(new TextEncoder().encode(text)))).toBe('STATE_INVALID');
  });
});
