import type { OperationRow, RunProjection } from '../ledger/port.ts';
import type { Services } from '../runs/services.ts';
import { openPlanRow } from '../runs/warranted.ts';

/** Items of one waiting loop that are closed in one go. */
const MOST_ITEMS = 10_000;

/**
 * Waits that the end of the run has cut short (I7): nothing happens any more when their time comes, so their intent is
 * settled as cancelled. Work of other tools that is still open is not touched: what it did is not known here. Answers
 * how many there were.
 */
export async function closeWaits(services: Services, projection: RunProjection): Promise<number> {
  const { ledger, catalog } = services;
  if (projection.plan === null) return 0;
  let closed = 0;
  const { plan } = openPlanRow(projection.plan);
  for (const node of plan.nodes) {
    if (catalog.get(node.tool)?.wait === undefined) continue;
    const whole = projection.operations.filter((row) => row.nodeId === node.id && row.state === 'reserved');
    const page = { states: ['reserved'] as const, afterItem: -1, limit: MOST_ITEMS };
    const items = node.forEach === undefined ? [] : await ledger.itemOperations(projection.run.runId, node.id, page);
    for (const row of [...whole, ...items]) await close(services, row);
    closed += whole.length + items.length;
  }
  return closed;
}

async function close(services: Services, row: OperationRow): Promise<void> {
  await services.ledger.fail(row.operationKey, row.fencingToken, {
    error: { code: 'CANCELLED', class: 'permanent', message: 'The run ended before the wait was over.' },
    checks: [],
    now: services.now(),
  });
}
