import type { Settlement, SkipKind } from './task.ts';

export interface Skip {
  readonly kind: SkipKind;
  readonly reason: string;
}

/**
 * Whether something that needs these outputs is skipped in consequence, and why: the first need that has ended without
 * outputs decides. A need that is not settled is none of ours (another item of a chain, say).
 */
export function consequence(needs: Iterable<readonly [id: string, settlement: Settlement | undefined]>): Skip | null {
  for (const [id, settlement] of needs) {
    if (settlement === 'failed') return { kind: 'skippedByFailure', reason: `needs ${id}, which failed` };
    if (settlement === 'skippedByCondition' || settlement === 'skippedByFailure')
      return { kind: settlement, reason: `needs ${id}, which was skipped` };
  }
  return null;
}
