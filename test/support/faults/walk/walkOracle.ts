import { effectsEqual, type WalkFacts } from './walkFacts.ts';
import type { WalkScenario } from './walkScenarios.ts';

/** A cancelled run waits for nothing but retries, leases and a bounded follow-up of jobs. */
const CANCEL_MS = 10 * 60_000;

/** Everything in which a walk ended otherwise than it may, given the fault-free end of the same scenario. */
export function judgeWalk(scenario: WalkScenario, want: WalkFacts, got: WalkFacts): string[] {
  const problems: string[] = [];
  const timed = scenario.timed ?? [];
  const cancelled = scenario.mayCancel === true && got.status === 'cancelled';
  if (got.status !== want.status && !cancelled) problems.push(`status ${got.status}, expected ${want.status}`);
  if (cancelled && got.control !== 'cancel') problems.push('cancelled, and nobody asked for it');
  if (cancelled && got.tookMs > CANCEL_MS) problems.push(`the cancel took ${String(got.tookMs)} ms`);
  if (got.orchestratorStatus !== got.status) problems.push(`the orchestrator ended with ${got.orchestratorStatus}`);
  if (got.terminalEvents !== 1) problems.push(`${String(got.terminalEvents)} moves into a terminal status`);
  if (got.runs !== 1) problems.push(`${String(got.runs)} runs for one request`);
  if (!got.auditOk) problems.push('the audit chain is broken');
  if (got.openInstances > 0) problems.push(`${String(got.openInstances)} children not ended in the ledger`);
  if (got.openTimers > 0) problems.push(`${String(got.openTimers)} timers left`);
  for (const write of got.staleWrites) problems.push(`a stale owner's write was accepted: ${write}`);
  for (const [key, digest] of got.artifacts)
    if (!timed.includes(key.split('#')[0] ?? '') && want.artifacts.get(key) !== digest)
      problems.push(`artifact ${key} differs from the fault-free one`);
  for (const [key, state] of got.operations) {
    if (!want.operations.has(key)) problems.push(`operation ${key} is not in the fault-free run`);
    if (state === 'completed' && !got.completedWithArtifacts.has(key))
      problems.push(`${key} completed without its result`);
  }
  if (!cancelled) {
    if (got.decisions.size !== want.decisions.size) problems.push('a decision is missing, or one too many');
    for (const [key, kind] of want.decisions)
      if (got.decisions.get(key) !== kind) problems.push(`${key} was ${got.decisions.get(key) ?? 'not skipped'}`);
    if (got.operations.size !== want.operations.size) problems.push('an operation is missing');
    if (got.artifacts.size !== want.artifacts.size) problems.push('a result is missing');
    for (const [key, state] of want.operations)
      if (got.operations.get(key) !== state) problems.push(`${key} ended ${got.operations.get(key) ?? 'nowhere'}`);
  }
  problems.push(...effectsEqual(want.effects, got.effects, { cancelled, costly: got.costly }));
  return problems;
}
