import { Worker } from 'node:worker_threads';
import { ToolError } from '../../../plan/errors.ts';
import type { Grid } from '../raster/grid.ts';
import type { ErrorModel } from './errorModel.ts';
import type { GaugeColumns } from './gauges.ts';
import { clipped, fillRows, idwSurface, type Bands, type MaskOptions, type RowRange, type Surface } from './idw.ts';
import { BLOCK } from './nearestOnGrid.ts';

/** Gauge × cell products below which starting a second thread costs more than it saves. */
const WORTH = 40e6;

/** What the second thread gets: plain data and the shared bands it writes into. */
export interface RowsJob {
  readonly gauges: GaugeColumns;
  readonly model: ErrorModel;
  readonly grid: Grid;
  readonly options: MaskOptions;
  readonly rows: RowRange;
  readonly bands: Bands;
}

/**
 * The surface of `idwSurface`, bit for bit, with a second thread for the lower half of a large grid: rows do not depend
 * on each other. The thread lives in the tool's own process and ends with it.
 * @throws ToolError TOOL_FAILED when the thread fails
 */
export async function idwSurfaceInParallel(
  gauges: GaugeColumns,
  model: ErrorModel,
  grid: Grid,
  options: MaskOptions,
): Promise<Surface> {
  const cells = grid.width * grid.height;
  const middle = Math.floor(grid.height / 2 / BLOCK) * BLOCK;
  if (middle === 0 || cells * gauges.count < WORTH) return idwSurface(gauges, model, grid, options);
  const shared = (): Float32Array => new Float32Array(new SharedArrayBuffer(cells * Float32Array.BYTES_PER_ELEMENT));
  const bands: Bands = { rain: shared(), se: shared() };
  const lower = inThread({ gauges, model, grid, options, rows: { from: middle, to: grid.height }, bands });
  fillRows(gauges, model, grid, options, { from: 0, to: middle }, bands);
  await lower;
  // Out of shared memory: what follows hands the values to code that wants memory of its own.
  return clipped({ rain: new Float32Array(bands.rain), se: new Float32Array(bands.se) });
}

function inThread(job: RowsJob): Promise<void> {
  const entry = new URL(import.meta.url.endsWith('.ts') ? './rowsThread.ts' : './rowsThread.js', import.meta.url);
  return new Promise((resolve, reject) => {
    const thread = new Worker(entry, { workerData: job });
    thread.once('error', (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      reject(new ToolError('TOOL_FAILED', `The second thread of the interpolation failed: ${message}`));
    });
    thread.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new ToolError('TOOL_FAILED', `The second thread of the interpolation ended with ${code}.`));
    });
  });
}
