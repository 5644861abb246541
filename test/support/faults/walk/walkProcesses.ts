import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WalkFailure } from './runWalks.ts';

const CHILD = join(import.meta.dirname, 'walkChild.ts');

/** Walks seeds 1 to `count` in some processes: a walk takes the timers of its process over. */
export async function walkInProcesses(count: number, processes: number): Promise<WalkFailure[]> {
  const share = Math.ceil(count / processes);
  const parts = Array.from({ length: processes }, async (_, i): Promise<WalkFailure[]> => {
    const from = 1 + i * share;
    const to = Math.min(count, from + share - 1);
    if (to < from) return [];
    const child = fork(CHILD, [String(from), String(to)], { execArgv: [] });
    const failures: WalkFailure[] = [];
    child.on('message', (failure: WalkFailure) => failures.push(failure));
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`walks ${String(from)} to ${String(to)} ended with ${String(code)}`);
    return failures;
  });
  return (await Promise.all(parts)).flat();
}
