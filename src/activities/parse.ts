import type { z } from 'zod';
import { StateInvalid } from '../ledger/port.ts';

/** Durable inputs are parsed by a versioned schema like everything loaded; anything else is STATE_INVALID. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown, activity: string): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new StateInvalid(`${activity}: input in an unknown shape`);
  return parsed.data;
}
