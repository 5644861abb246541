import { StateInvalid, type RunRow } from '../ledger/port.ts';
import { startRequest, type StartRequest } from './request.ts';
import type { Services } from './services.ts';

/** A run with the start request it was accepted with, parsed again: what is stored is not trusted either. */
export async function storedRequest(
  services: Services,
  runId: string,
): Promise<{ readonly run: RunRow; readonly request: StartRequest }> {
  const run = await services.ledger.getRun(runId);
  if (run === undefined) throw new StateInvalid(`run ${runId} is not in the ledger`);
  let value: unknown;
  try {
    value = JSON.parse(run.request);
  } catch {
    throw new StateInvalid(`the request of run ${runId} is not JSON`);
  }
  const parsed = startRequest.safeParse(value);
  if (!parsed.success) throw new StateInvalid(`the request of run ${runId} has an unknown shape`);
  return { run, request: parsed.data };
}
