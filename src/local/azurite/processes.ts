/** Just enough about other processes to recognise the emulator that an earlier start left running. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, but not ours to signal.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether the command line of `pid` holds all `words`; null where the system does not tell. */
export async function commandLineHas(pid: number, words: readonly string[]): Promise<boolean | null> {
  try {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return words.every((word) => text.includes(word));
  } catch {
    return process.platform === 'linux' ? false : null;
  }
}

/** A port on the loopback interface that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks `done` every 50 ms until it says yes; false after `timeoutMs`. */
export async function until(done: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  while (performance.now() < giveUpAt) {
    if (await done()) return true;
    await pause(50);
  }
  return done();
}
