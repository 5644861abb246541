import { sha256Hex } from '../plan/sha256.ts';

/** The interpreter's major is part of every function name, so that a release can keep the previous one registered. */
export const ORCHESTRATOR = 'run1';

/** Child orchestrations. `lane` executes a chunk of `forEach` items, `sleep` waits, `job` follows a remote job. */
export const CHILD = { lane: 'lane1', sleep: 'sleep1', job: 'job1' } as const;

export const ACTIVITY = {
  begin: 'begin1',
  plan: 'plan1',
  validate: 'validate1',
  control: 'control1',
  node: 'node1',
  expand: 'expand1',
  gather: 'gather1',
  stop: 'stop1',
  lanePart: 'lanePart1',
  sleepStep: 'sleepStep1',
  jobStep: 'jobStep1',
  verify: 'verify1',
  finish: 'finish1',
} as const;

/**
 * Name of the event that wakes a run and its children after change number `seq` of its control state (`Runs.ControlSeq`,
 * from 1). Who has seen change n waits for n + 1. Built from a hash that includes run and number, so nobody can guess or
 * reuse it, and it is never numeric (I6, I12). The event carries nothing that is believed.
 */
export function controlEvent(runId: string, seq: number): string {
  return `control-${sha256Hex(`control.v1:${runId}:${String(seq)}`).slice(0, 24)}`;
}
