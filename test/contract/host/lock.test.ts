/** Q32: one store, one host, with real processes. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreLockedError } from '../../../src/local/host/index.ts';
import { spawnHost, type HostProcess } from '../../support/hostApp/process.ts';
import { startTestHost, stateFolder } from '../../support/hostApp/start.ts';

let state: ReturnType<typeof stateFolder>;
const processes: HostProcess[] = [];
beforeEach(() => {
  state = stateFolder();
});
afterEach(async () => {
  for (const process of processes.splice(0)) await process.kill();
  state.remove();
});
async function spawn(): Promise<HostProcess> {
  const started = await spawnHost(state.path, {});
  processes.push(started);
  return started;
}

describe('Q32 two hosts on one store', () => {
  it('a second host is refused with a message that names the store and the process, and the first goes on', async () => {
    const first = await spawn();
    const refusal = await startTestHost(state.path).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreLockedError);
    expect(refusal).toMatchObject({ code: 'STORE_LOCKED' });
    const message = (refusal as Error).message;
    expect(message).toContain(`Another host, process ${first.child.pid}, is using the store in ${state.path}`);
    expect(message).toMatch(/Stop it, or choose another state folder/);
    expect((await fetch(`${first.baseUrl}/`)).status).toBe(200);
  });

  it('a second process ends with code 1 and that message alone, without a stack', async () => {
    await spawn();
    const error = await spawnHost(state.path, {}).catch((reason: unknown) => reason as Error);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(/Another host, process \d+, is using the store/);
    expect((error as Error).message).not.toMatch(/\n\s+at /);
  });

  it('the lock of a process that was killed is taken over, though its files are still there', async () => {
    const first = await spawn();
    await first.kill();
    expect(first.child.signalCode).toBe('SIGKILL');
    const left = readdirSync(join(state.path, 'TestHub'));
    expect(left).toEqual(expect.arrayContaining(['host.lock', 'host.lock.pid', 'host.db']));
    const second = await startTestHost(state.path);
    expect((await second.waitFor(second.client.start('chain', { input: null }))).output).toBe('3');
    await second.stop();
  });

  it('a lock file that somebody copied or left with another process number does not keep a host out', async () => {
    mkdirSync(join(state.path, 'TestHub'), { recursive: true });
    writeFileSync(join(state.path, 'TestHub', 'host.lock'), '');
    writeFileSync(join(state.path, 'TestHub', 'host.lock.pid'), '1\n');
    const host = await startTestHost(state.path);
    await host.stop();
  });
});
