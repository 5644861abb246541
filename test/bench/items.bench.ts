/**
 * What an item of a `forEach` costs, in lanes, on the embedded host: it should not depend on how many there are (I9). One
 * no-op an item. What a run costs anyway (start, planning, verification) is measured by the same plan with one item, in
 * the same process right before, and taken off.
 */
import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { call, startRun } from '../support/system/api.ts';
import { node, plan, ref } from '../support/suite/plans.ts';
import type { Product } from './product.ts';

export interface ItemCost {
  readonly items: number;
  readonly seconds: number;
  /** The same plan with one item, seconds. */
  readonly emptySeconds: number;
  readonly msPerItem: number;
  /** Heap that is left after a collection at the end of the run, MiB. */
  readonly heapMiB: number;
  /** Events in the history of the run's own instance. */
  readonly history: number;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

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

async function timed(product: Product, items: number): Promise<{ readonly runId: string; readonly seconds: number }> {
  const began = performance.now();
  const runId = await startRun(product.baseUrl, { plan: loop(items) });
  await product.host.waitFor(runId);
  const seconds = (performance.now() - began) / 1000;
  const { body } = await call(product.baseUrl, 'GET', `/runs/${runId}`);
  if (body.status !== 'succeeded') throw new Error(`run ${runId}: ${JSON.stringify(body.error)}`);
  return { runId, seconds };
}

export async function benchItems(product: Product, items: number): Promise<ItemCost> {
  await timed(product, 60);
  const { seconds: emptySeconds } = await timed(product, 1);
  const { runId, seconds } = await timed(product, items);
  collect();
  return {
    items,
    seconds,
    emptySeconds,
    msPerItem: ((seconds - emptySeconds) * 1000) / items,
    heapMiB: memoryUsage().heapUsed / 2 ** 20,
    history: product.host.client.history(runId).length,
  };
}
