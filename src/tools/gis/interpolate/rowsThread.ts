/** Second thread of a large interpolation: fills its rows in the shared bands and ends. */
import { workerData } from 'node:worker_threads';
import { fillRows } from './idw.ts';
import type { RowsJob } from './parallel.ts';

const { gauges, model, grid, options, rows, bands } = workerData as RowsJob;
fillRows(gauges, model, grid, options, rows, bands);
