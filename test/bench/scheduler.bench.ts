/**
 * What a node costs beside its work: plans of no-op tools, window 10, whole runs over HTTP on the embedded host. A no-op
 * takes no time, so the ideal wall time is 0 and the cost per node is wall / nodes, everything included: start, planning,
 * validation, ledger, artifacts, verification, report.
 */
import { startRun, waitFor } from '../support/system/api.ts';
import { node, plan } from '../support/suite/plans.ts';
import { percentile, startProduct, type Product } from './product.ts';

export interface SchedulerCost {
  readonly nodes: number;
  readonly runs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const independent = (count: number): object =>
  plan(Array.from({ length: count }, (_, i) => node(`n${String(i)}`, 'noop', { value: i })));

/** @returns ms per node, p50 and p95 over the runs */
export async function benchScheduler(product: Product, nodes: number, runs: number): Promise<SchedulerCost> {
  const costs: number[] = [];
  for (let run = 0; run < runs + 1; run += 1) {
    const began = performance.now();
    const runId = await startRun(product.baseUrl, { plan: independent(nodes) });
    await product.host.waitFor(runId);
    // The first run warms the process up.
    if (run > 0) costs.push((performance.now() - began) / nodes);
    const { status } = await waitFor(product.baseUrl, runId);
    if (status !== 'succeeded') throw new Error(`run ${runId}: ${String(status)}`);
  }
  return { nodes, runs, p50Ms: percentile(costs, 50), p95Ms: percentile(costs, 95) };
}

export { startProduct };
