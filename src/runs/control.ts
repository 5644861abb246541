import { TERMINAL_STATUSES, type RunControl, type RunRow } from '../ledger/port.ts';
import type { Caller } from './access.ts';
import type { Engine } from './engine.ts';
import { HttpProblem } from './http/problem.ts';
import { runLinks } from './links.ts';
import { ownRun } from './read.ts';
import type { Services } from './services.ts';
import { wakeRun } from './wake.ts';

interface Controlled {
  readonly services: Services;
  readonly engine: Engine;
  readonly caller: Caller;
  readonly runId: string;
  readonly origin: string;
}

/**
 * `POST /runs/{id}/cancel`: sets the flag in the ledger, then wakes the instance and its children (I6). The flag is what
 * counts: nothing starts after it, whether or not the event arrives (O-14). A run that has ended answers 409 with its
 * state (O-06). Asking again wakes again.
 */
export async function cancelRun(asked: Controlled): Promise<Record<string, unknown>> {
  await ownRun(asked.services, asked.caller, asked.runId);
  return setControl(asked, 'cancel');
}

/** `POST /runs/{id}/suspend`: what runs goes on, nothing new starts until `resume`. */
export async function suspendRun(asked: Controlled): Promise<Record<string, unknown>> {
  requireLive(await ownRun(asked.services, asked.caller, asked.runId));
  return setControl(asked, 'suspend');
}

/** `POST /runs/{id}/resume`: 409 unless the run is suspended. */
export async function resumeRun(asked: Controlled): Promise<Record<string, unknown>> {
  const run = await ownRun(asked.services, asked.caller, asked.runId);
  requireLive(run);
  // A held run whose flag is gone has missed its event: waking it again is what the caller wants.
  if (run.control === 'none' && !run.held) {
    // So has, perhaps, one that does not look held any more: the answer is no, but it is woken.
    if (run.controlSeq > 0) await wakeRun(asked.services, asked.engine, run);
    throw new HttpProblem('WRONG_STATE', 'The run is not suspended.');
  }
  return setControl(asked, 'none');
}

function requireLive(run: RunRow): void {
  if (TERMINAL_STATUSES.has(run.status)) throw new HttpProblem('WRONG_STATE', `The run has ended: ${run.status}.`);
}

async function setControl(asked: Controlled, control: RunControl): Promise<Record<string, unknown>> {
  const { services, engine, caller, runId, origin } = asked;
  const { accepted, run } = await services.ledger.setControl(runId, control, caller.principal.oid, services.now());
  if (!accepted) {
    const why = TERMINAL_STATUSES.has(run.status) ? `The run has ended: ${run.status}.` : 'The run was cancelled.';
    throw new HttpProblem('WRONG_STATE', why);
  }
  await wakeRun(services, engine, run);
  return { runId, status: run.status, control: run.control, held: run.held, links: runLinks(origin, runId) };
}
