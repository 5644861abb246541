import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { JobFolders } from '../../../src/tools/process/jobFolders.ts';

const gone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe('when the host is killed', { timeout: 60_000 }, () => {
  it('its tool process ends even in the middle of an endless computation', async () => {
    const host = spawn(process.execPath, [fileURLToPath(new URL('./fixtures/host.ts', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [said] = (await once(host.stdout, 'data')) as [Buffer];
    const { pid } = JSON.parse(said.toString()) as { pid: number };
    expect(gone(pid)).toBe(false);
    host.kill('SIGKILL');
    await once(host, 'exit');
    await vi.waitFor(() => expect(gone(pid)).toBe(true), { timeout: 10_000, interval: 20 });
  });

  it('the next host removes what it left in the temporary folder, and nothing of the living', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    const [left, own] = [dead.pid ?? 0, process.pid].map((pid) => join(tmpdir(), `geoagent-tools-${pid}-test`));
    for (const folder of [left, own]) mkdirSync(String(folder), { recursive: true });
    const folders = new JobFolders();
    const root = await folders.root();
    expect([existsSync(String(left)), existsSync(String(own)), existsSync(root)]).toEqual([false, true, true]);
    await folders.remove(String(own));
    await folders.close();
    expect(existsSync(root)).toBe(false);
  });
});
