import { z } from 'zod';
import type { ToolInput } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { crsInfo } from '../crs/crsInfo.ts';
import { describeMisfit } from '../crs/fits.ts';
import type { ObservationSet } from '../formats.ts';

const set = z.looseObject({
  version: z.literal(1),
  quantity: z.literal('rain'),
  unit: z.literal('mm'),
  valueKind: z.literal('interval'),
  crs: z.string(),
  window: z.object({ from: z.string(), to: z.string() }).nullable(),
  validated: z.boolean(),
  stations: z.array(z.looseObject({ id: z.string(), x: z.number(), y: z.number(), mm: z.number().min(0) })),
  source: z.object({ kind: z.string(), name: z.string(), sha256: z.string(), licence: z.string() }),
});

/** Fewest gauges that a surface and its leave-one-out error can rest on. */
const MIN_STATIONS = 3;

/**
 * Validated gauge totals from an earlier node.
 * @throws ToolError `STATE_INVALID` (not such a file, or not validated), `TOO_FEW_STATIONS`, `CRS_MISMATCH` (positions
 *   that cannot be in the stated system, O-38)
 */
export function readObservations(input: ToolInput): ObservationSet {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input.bytes));
  } catch {
    throw new ToolError('STATE_INVALID', 'The observations are not JSON.');
  }
  const parsed = set.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ToolError(
      'STATE_INVALID',
      `The observations are not as expected at ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`,
    );
  }
  if (!parsed.data.validated)
    throw new ToolError('STATE_INVALID', 'The observations have not passed gis.validateObservations.');
  const stations = parsed.data.stations;
  if (stations.length < MIN_STATIONS) {
    throw new ToolError('TOO_FEW_STATIONS', `${stations.length} gauges; a surface needs at least ${MIN_STATIONS}.`);
  }
  const misfit = describeMisfit(
    stations.map(({ x, y }) => [x, y] as const),
    parsed.data.crs,
  );
  if (misfit !== null) throw new ToolError('CRS_MISMATCH', misfit);
  const { window, source } = parsed.data;
  return {
    version: 1,
    quantity: 'rain',
    unit: 'mm',
    valueKind: 'interval',
    validated: true,
    crs: crsInfo(parsed.data.crs).id,
    window,
    stations,
    source,
  };
}
