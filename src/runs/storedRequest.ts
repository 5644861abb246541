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
  return { run, request: requestOf(run) };
}

/** The start request of a run, parsed from its row. */
export function requestOf(run: RunRow): StartRequest {
  let value: unknown;
  try {
    value = JSON.parse(run.request);
  } catch {
    throw new StateInvalid(`the request of run ${run.runId} is not JSON`);
  }
  const parsed = startRequest.safeParse(value);
  if (!parsed.success) throw new StateInvalid(`the request of run ${run.runId} has an unknown shape`);
  return parsed.data;
}
