import { TERMINAL_STATUSES } from '../ledger/port.ts';
import { controlInput, type controlResult } from '../orchestration/messages.ts';
import type { Services } from '../runs/services.ts';
import type { z } from 'zod';
import { parseInput } from './parse.ts';

/** Reads the control flag: events only wake, the ledger tells (I6). A run that has ended counts as cancelled. */
export async function control(services: Services, input: unknown): Promise<z.infer<typeof controlResult>> {
  const { runId } = parseInput(controlInput, input, 'control');
  const run = await services.ledger.getRun(runId);
  if (run === undefined || TERMINAL_STATUSES.has(run.status)) return { version: 1, control: 'cancel', seq: run?.controlSeq ?? 0 };
  return { version: 1, control: run.control, seq: run.controlSeq };
}
