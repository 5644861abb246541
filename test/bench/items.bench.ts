/**
 * What an item of a `forEach` costs, in lanes, on the embedded host: it should not depend on how many there are (I9). One
 * no-op an item. The times include start, expansion, gathering and verification of the run.
 */
import { memoryUsage } from 'node:process';
import { call, startRun } from '../support/system/api.ts';
import { node, plan, ref } from '../support/suite/plans.ts';
import type { Product } from './product.ts';

export interface ItemCost {
  readonly items: number;
  readonly seconds: number;
  readonly msPerItem: number;
  /** Largest heap seen while it ran, MiB. */
  readonly heapMiB: number;
  /** Events in the history of the run's own instance. */
  readonly history: number;
}

const loop = (items: number): object =>
  plan(
    [
      node('list', 'items', { count: items }),
      node('each', 'noop', { value: ref('$item') }, ['list'], {
        forEach: { items: ref('list.items'), maxItems: items },
      }),
    ],
    { limits: { deadlineSeconds: 7_200 } },
  );

export async function benchItems(product: Product, items: number): Promise<ItemCost> {
  let heap = 0;
  const sampler = setInterval(() => (heap = Math.max(heap, memoryUsage().heapUsed)), 50);
  const began = performance.now();
  const runId = await startRun(product.baseUrl, { plan: loop(items) });
  await product.host.waitFor(runId);
  const seconds = (performance.now() - began) / 1000;
  clearInterval(sampler);
  const { body } = await call(product.baseUrl, 'GET', `/runs/${runId}`);
  if (body.status !== 'succeeded') throw new Error(`run ${runId}: ${JSON.stringify(body.error)}`);
  const history = product.host.client.history(runId).length;
  return { items, seconds, msPerItem: (seconds * 1000) / items, heapMiB: heap / 2 ** 20, history };
}
