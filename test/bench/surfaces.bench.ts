/** The fast interpolation loops against the plain one, in one process. */
import { fitErrorModel } from '../../src/tools/gis/interpolate/errorModel.ts';
import { toColumns } from '../../src/tools/gis/interpolate/gauges.ts';
import { createEstimator, idwSurface } from '../../src/tools/gis/interpolate/idw.ts';
import { idwSurfaceInParallel } from '../../src/tools/gis/interpolate/parallel.ts';
import { benchIdw } from './idw.bench.ts';

const gauges = toColumns(
  Array.from({ length: 467 }, (_, i) => ({
    id: `g${i}`,
    x: (i * 7919) % 360_000,
    y: (i * 104_729) % 360_000,
    mm: i % 60,
  })),
);
const method = { power: 2, neighbours: 0 };
const options = { ...method, maxDistanceM: 1e6, supportM: 450 };
const grid = { width: 400, height: 400, originX: 0, originY: 360_000, cellSize: 900, crs: 'EPSG:2056' };
const model = fitErrorModel(gauges, method);

async function seconds(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** One cell after another, by the general estimator: what the fast loops are held against. */
function plain(): void {
  const estimate = createEstimator(gauges, model, options);
  for (let row = 0; row < grid.height; row += 1)
    for (let column = 0; column < grid.width; column += 1)
      estimate((column + 0.5) * grid.cellSize, grid.originY - (row + 0.5) * grid.cellSize);
}

export async function benchSurfaces(): Promise<readonly Readonly<Record<string, string>>[]> {
  const baseline = await seconds(plain);
  const one = await seconds(() => idwSurface(gauges, model, grid, options));
  const two = await seconds(() => idwSurfaceInParallel(gauges, model, grid, options));
  const whole = await benchIdw();
  const ratio = (value: number): string => (value / baseline).toFixed(2);
  return [
    { what: 'IDW 400 × 400, 467 gauges, plain loop', seconds: baseline.toFixed(2), ratio: '1.00' },
    { what: 'IDW 400 × 400, 467 gauges, one thread', seconds: one.toFixed(2), ratio: ratio(one) },
    { what: 'IDW 400 × 400, 467 gauges, two threads', seconds: two.toFixed(2), ratio: ratio(two) },
    { what: 'IDW 1000 × 1000 with error band and COG', seconds: whole.wallSeconds.toFixed(2), ratio: '' },
  ];
}
