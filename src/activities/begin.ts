import { TERMINAL_STATUSES } from '../ledger/port.ts';
import { beginInput, type beginResult } from '../orchestration/messages.ts';
import type { Services } from '../runs/services.ts';
import type { z } from 'zod';
import { parseInput } from './parse.ts';

type Result = z.infer<typeof beginResult>;

/**
 * Lets the orchestration go on only when the ledger expects exactly this instance and the run is not over: a late
 * duplicate start, or one of a forged id, ends at once without touching anything. Idempotent.
 */
export async function begin(services: Services, input: unknown): Promise<Result> {
  const { runId, instanceId } = parseInput(beginInput, input, 'begin');
  const run = await services.ledger.getRun(runId);
  if (run === undefined) return { version: 1, go: false, reason: 'unknown' };
  if (run.instanceId !== instanceId) return { version: 1, go: false, reason: 'unexpectedInstance' };
  if (TERMINAL_STATUSES.has(run.status)) return { version: 1, go: false, reason: run.status };
  const now = services.now();
  await services.ledger.moveRun(runId, ['accepted'], 'planning', { now, startedAt: now });
  return { version: 1, go: true, reason: 'expected' };
}
