/** What the metadata of a rain surface say (written by `gis.interpolate`). */
import type { TimeWindow } from '../../../catalog/portTypes.ts';
import { fill } from './fill.ts';
import type { Labels, Locale } from './labels.ts';
import { formatNumber } from './numbers.ts';

type Metadata = Readonly<Record<string, string>>;

/** Window of the surface, null when it states none. */
export function surfaceWindow(metadata: Metadata): TimeWindow | null {
  const { WINDOW_FROM: from = '', WINDOW_TO: to = '' } = metadata;
  return Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to)) ? null : { from, to };
}

/** Method and its leave-one-out error, one line each. */
export function surfaceMethod(metadata: Metadata, labels: Labels, locale: Locale): string[] {
  const { METHOD: method, LOOCV_RMSE_MM: rmse } = metadata;
  const error = rmse === undefined || rmse === '' ? NaN : Number(rmse);
  return [
    ...(method === undefined || method === '' ? [] : [method]),
    ...(Number.isFinite(error) ? [fill(labels.rmse, { mm: formatNumber(error, 1, locale) })] : []),
  ];
}
