import type { TimeWindow } from '../../../catalog/portTypes.ts';

/** Window that a rain surface's file states: `window` as `from/to` (ISO 8601 interval), or null. */
export function surfaceWindow(metadata: Readonly<Record<string, string>>): TimeWindow | null {
  const [from, to] = (metadata['window'] ?? '').split('/');
  if (from === undefined || to === undefined) return null;
  return Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to)) ? null : { from, to };
}
