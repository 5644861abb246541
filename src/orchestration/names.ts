import { sha256Hex } from '../plan/sha256.ts';

/** The interpreter's major is part of every function name, so that a release can keep the previous one registered. */
export const ORCHESTRATOR = 'run1';

export const ACTIVITY = {
  begin: 'begin1',
  plan: 'plan1',
  validate: 'validate1',
  control: 'control1',
  node: 'node1',
  verify: 'verify1',
  finish: 'finish1',
} as const;

/**
 * Name of the event that wakes a run after its control flag changed. Built from a hash that includes the run and the
 * round, so nobody can guess or reuse it, and it is never numeric (I6, I12). The event carries nothing that is believed.
 */
export function controlEvent(runId: string, round: number): string {
  return `control-${sha256Hex(`control.v1:${runId}:${String(round)}`).slice(0, 24)}`;
}
