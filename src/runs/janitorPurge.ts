import type { OperatorEngine } from './operatorEngine.ts';
import type { Services } from './services.ts';

/**
 * Removes one run that has outlived its retention: histories of its instances (children first), bytes, rows. Rows go
 * last, so that a crash in between is taken up by the next pass. Audit events stay. Answers 1 when rows were removed.
 */
export async function purgeOld(
  services: Services,
  engine: OperatorEngine,
  runId: string,
  now: number,
): Promise<number> {
  const { ledger, store } = services;
  const run = await ledger.getRun(runId);
  if (run === undefined) return 0;
  for (const { instanceId } of await ledger.instancesOf(runId)) await engine.purge(instanceId);
  await engine.purge(run.instanceId);
  for (const blobName of await ledger.blobNamesOf(runId)) await store.remove(blobName);
  return (await ledger.purgeRun(runId, now)) ? 1 : 0;
}
