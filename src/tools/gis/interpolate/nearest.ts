import Flatbush from 'flatbush';
import type { GaugeColumns } from './gauges.ts';

/** Indices of the nearest gauges, nearest first; `except` is left out. */
export type Nearest = (x: number, y: number, howMany: number, except?: number) => readonly number[];

/** k-nearest search over the gauges; ties fall by the order of the columns, which is fixed. */
export function createNearest(gauges: GaugeColumns): Nearest {
  const index = new Flatbush(gauges.count);
  for (let i = 0; i < gauges.count; i += 1) {
    const x = gauges.x[i] as number;
    const y = gauges.y[i] as number;
    index.add(x, y, x, y);
  }
  index.finish();
  return (x, y, howMany, except) =>
    index.neighbors(
      x,
      y,
      howMany,
      Infinity,
      except === undefined ? undefined : (candidate: number) => candidate !== except,
    );
}
