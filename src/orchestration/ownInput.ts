import type { z } from 'zod';
import { OrchestrationBroken } from './answer.ts';

/** What a child was started with; the ids in it must be its own, anything else ends it (`OrchestrationBroken`). */
export function ownInput<T extends { readonly instanceId: string }>(
  schema: z.ZodType<T>,
  input: unknown,
  instanceId: string,
): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success || parsed.data.instanceId !== instanceId)
    throw new OrchestrationBroken('STATE_INVALID: a child was started with something other than its own ids');
  return parsed.data;
}
