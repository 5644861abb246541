import { StateInvalid } from '../ledger/port.ts';
import { inBatches } from './inBatches.ts';
import type { JanitorPass } from './janitor.ts';
import { closeOwn } from './janitorChildren.ts';

const AT_ONCE = 16;

/**
 * Removes one run that has outlived its retention: histories of its instances (children first), bytes, rows. Rows go
 * last, so that what a crash leaves is taken up by the next pass. Audit events stay. A run with an instance that may
 * still act is left until that has ended: purging takes a history away, it stops nothing.
 */
export async function purgeOld(pass: JanitorPass, of: { readonly runId: string }): Promise<void> {
  const { services, engine, now, count } = pass;
  const { ledger, store } = services;
  const run = await ledger.getRun(of.runId);
  const endedAt = run?.endedAt ?? null;
  if (run === undefined || endedAt === null) return;
  const { runId, instanceId, tenant } = run;
  if (await closeOwn(pass, { runId, instanceId, endedAt })) return;
  const children = await ledger.instancesOf(runId);
  if (children.some(({ state }) => state !== 'ended')) return;
  const blobNames = await ledger.blobNamesOf(runId);
  const foreign = blobNames.find((name) => !name.startsWith(`${tenant}/runs/${runId}/`));
  if (foreign !== undefined)
    throw new StateInvalid(`Run ${runId} names bytes that are not its own; nothing is removed.`);

  await inBatches(children, AT_ONCE, (child) => engine.purge(child.instanceId));
  await engine.purge(instanceId);
  await inBatches([...new Set(blobNames)], AT_ONCE, (name) => store.remove(name));
  if (await ledger.purgeRun(runId, now)) count.purged += 1;
}
