import type { z } from 'zod';
import { isStopped } from '../ledger/outcome.ts';
import { childInput, type childStepResult } from '../orchestration/messages.ts';
import type { Services } from '../runs/services.ts';
import { parseInput } from './parse.ts';

type Result = z.infer<typeof childStepResult>;
type Reason = Extract<Result, { state: 'end' }>['reason'];

/**
 * One round of a sleeping child: reads the ledger's flags first, then the clock. The row goes live before the flags are
 * read, so that a change after the reading finds it among those to wake.
 */
export async function sleepStep(services: Services, input: unknown): Promise<Result> {
  const { runId, instanceId } = parseInput(childInput, input, 'sleepStep');
  const { ledger } = services;
  const row = await ledger.getInstance(instanceId);
  if (row?.kind !== 'sleep' || row.runId !== runId || row.until === null) return end('unexpected');
  if (row.state === 'planned') await ledger.moveInstance(instanceId, 'live', services.now());
  const run = await ledger.getRun(runId);
  if (run === undefined) return end('unexpected');

  const now = services.now();
  const deadline = run.deadlineAt ?? row.until;
  let reason: Reason | undefined;
  if (isStopped(run)) reason = 'stopped';
  else if (row.nodeId.startsWith('$hold:') && run.control !== 'suspend') reason = 'resumed';
  else if (now >= deadline) reason = 'deadline';
  else if (now >= row.until) reason = 'due';
  if (reason === undefined)
    return { version: 1, state: 'wait', until: Math.min(row.until, deadline), seq: run.controlSeq };
  await ledger.moveInstance(instanceId, 'ended', now);
  return end(reason);
}

function end(reason: Reason): Result {
  return { version: 1, state: 'end', reason };
}
