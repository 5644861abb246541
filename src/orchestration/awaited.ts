import type { z } from 'zod';
import { taskLabel } from './task.ts';
import type { Outcome } from './verbs.ts';

/** What a result must name (I4). */
export interface Wanted {
  readonly nodeId: string;
  readonly item: number;
  readonly attempt: number;
}

export type Reading<T> =
  | { readonly is: 'answer'; readonly value: T }
  /** The activity or child threw: a worker or store was lost, not the tool's own failure. */
  | { readonly is: 'lost'; readonly message: string }
  /** It answered for something else, or in a shape we do not know. */
  | { readonly is: 'violation'; readonly message: string };

/** Reads a result and compares the attempt it names with the awaited one: a mistake is loud instead of wrong (I4). */
export function awaited<T extends Wanted>(outcome: Outcome, schema: z.ZodType<T>, wanted: Wanted): Reading<T> {
  if (!outcome.ok) return { is: 'lost', message: `no answer: ${outcome.message}`.slice(0, 2000) };
  const parsed = schema.safeParse(outcome.value);
  const names = ({ nodeId, item, attempt }: Wanted): string => `${taskLabel(nodeId, item)}, attempt ${String(attempt)}`;
  if (parsed.success && names(parsed.data) === names(wanted)) return { is: 'answer', value: parsed.data };
  const got = parsed.success ? names(parsed.data) : 'an unknown shape';
  return { is: 'violation', message: `I4: waited for ${names(wanted)}, got ${got}`.slice(0, 2000) };
}
