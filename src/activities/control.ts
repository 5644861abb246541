import { StateInvalid, TERMINAL_STATUSES } from '../ledger/port.ts';
import { controlInput, type controlResult } from '../orchestration/messages.ts';
import { childInstanceId } from '../plan/operationKey.ts';
import type { Services } from '../runs/services.ts';
import type { z } from 'zod';
import { parseInput } from './parse.ts';

type Result = z.infer<typeof controlResult>;

/**
 * Reads the control flag: events only wake, the ledger tells (I6). A run that has ended counts as cancelled. While it is
 * suspended, whoever asks gets a child of its own to wait with, recorded before it is called; its number is that of the
 * change, so no id is used twice. The run's own instance marks the run as held, or as going on.
 */
export async function control(services: Services, input: unknown): Promise<Result> {
  const { runId, by, warrant } = parseInput(controlInput, input, 'control');
  const { ledger } = services;
  const run = await ledger.getRun(runId);
  if (run === undefined || TERMINAL_STATUSES.has(run.status))
    return { version: 1, control: 'cancel', seq: run?.controlSeq ?? 0 };
  if (run.warrantDigest !== warrant) throw new StateInvalid(`control: run ${runId} has another warrant`);
  const now = services.now();
  const seq = run.controlSeq;
  const suspended = run.control === 'suspend' && run.stopping === null;
  if (by === run.instanceId && run.held !== suspended) await ledger.setHeld(runId, suspended, now);
  const stopping = run.stopping === null ? {} : { stopping: run.stopping };
  if (!suspended) return { version: 1, control: run.control === 'suspend' ? 'none' : run.control, seq, ...stopping };

  const plan = await ledger.latestPlan(runId);
  const child = { nodeId: `$hold:${by}`, item: -1, revision: plan?.revision ?? 1, attempt: seq };
  const row = await ledger.planInstance(
    {
      ...child,
      instanceId: childInstanceId(runId, child),
      runId,
      kind: 'sleep',
      until: run.deadlineAt ?? now,
      to: null,
    },
    now,
  );
  return { version: 1, control: 'suspend', seq, hold: { instanceId: row.instanceId } };
}
