/**
 * Differences between embedded host and engine that are kept on purpose. Each says what the embedded host answers
 * instead, so that it is tested too; the reason stands in the test's name.
 */
import type { Answer, Recording } from './types.ts';

export interface Allowed {
  readonly reason: string;
  /** The answers that differ, by their place in the recording. */
  readonly answers: readonly { readonly at: number; readonly embedded: Partial<Answer> }[];
}

export const ALLOWED: ReadonlyMap<string, Allowed> = new Map<string, Allowed>([]);

/** What the embedded host has to record where the engine recorded `golden`. */
export function expectedOfEmbedded(name: string, golden: Recording): Recording {
  const allowed = ALLOWED.get(name);
  if (allowed === undefined) return golden;
  const changes = new Map(allowed.answers.map(({ at, embedded }) => [at, embedded]));
  return { ...golden, answers: golden.answers.map((answer, at) => ({ ...answer, ...changes.get(at) })) };
}
