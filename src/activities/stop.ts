import type { z } from 'zod';
import { stopInput, type stopResult } from '../orchestration/messages.ts';
import type { Engine } from '../runs/engine.ts';
import type { Services } from '../runs/services.ts';
import { wakeRun } from '../runs/wake.ts';
import { parseInput } from './parse.ts';

/**
 * After the first terminal failure (I7): the ledger is told, so that nothing reserves any more, and every open child is
 * woken to see it. Idempotent; a second call wakes again.
 */
export async function stop(services: Services, input: unknown, engine: Engine): Promise<z.infer<typeof stopResult>> {
  const { runId, error, by, decisions } = parseInput(stopInput, input, 'stop');
  const run = await services.ledger.stopRun(runId, { code: error.code, by, decisions, now: services.now() });
  await wakeRun(services, engine, run);
  return { version: 1, seq: run.controlSeq };
}
