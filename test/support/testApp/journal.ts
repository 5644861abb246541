/** What really happened, one JSON line an execution, in the file that TEST_JOURNAL names: it survives a kill -9. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, readFileSync } from 'node:fs';
import type { RunningOperation } from '../../../src/runs/services.ts';

export interface JournalLine extends Partial<RunningOperation> {
  readonly what: string;
  readonly [key: string]: unknown;
}

/** Which execution the running test tool belongs to; the tools themselves are not told. */
export const current = new AsyncLocalStorage<RunningOperation>();

const file = (): string | undefined => process.env['TEST_JOURNAL'];

/** Appends one line at once (O_APPEND: lines of several processes do not mix). Without TEST_JOURNAL nothing is kept. */
export function note(what: string, more: Readonly<Record<string, unknown>> = {}): void {
  const path = file();
  if (path !== undefined) appendFileSync(path, `${JSON.stringify({ what, ...current.getStore(), ...more })}\n`);
}

/** Every line of a journal, oldest first. @param path default TEST_JOURNAL */
export function journalLines(path = file()): JournalLine[] {
  if (path === undefined) throw new Error('TEST_JOURNAL names no file.');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalLine);
}

/** How often something was noted. */
export const timesNoted = (what = 'count', nodeId?: string): number =>
  journalLines().filter((line) => line.what === what && (nodeId === undefined || line.nodeId === nodeId)).length;
