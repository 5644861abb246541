import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobServiceClient } from '@azure/storage-blob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAzurite } from '../../../src/local/azurite/ensureAzurite.ts';
import { isAlive, until } from '../../../src/local/azurite/processes.ts';
import { temporaryFolder } from '../../support/ledger/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await (await start()).stop();
  await folder.dispose();
});

const start = () => ensureAzurite({ stateDirectory: folder.path });
const file = (name: string) => join(folder.path, 'azurite', name);
const container = (connectionString: string) =>
  BlobServiceClient.fromConnectionString(connectionString).getContainerClient('kept');

// Starting the emulator takes seconds, so these build on each other.
describe('ensureAzurite', () => {
  let pid = 0;

  it('survives SIGKILL of the process that started it, and starts at once all find it', async () => {
    const child = fork(new URL('../../support/azurite/startAndReport.ts', import.meta.url), [folder.path]);
    const [report] = (await once(child, 'message')) as [{ pid: number; connectionString: string }];
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect(isAlive(report.pid)).toBe(true);
    const all = await Promise.all([start(), start(), start()]);
    for (const found of all) {
      expect(found).toMatchObject({ pid: report.pid, found: true, connectionString: report.connectionString });
    }
    await container(report.connectionString).create();
    pid = report.pid;
  });

  it('a start lock whose owner died does not hold up the next start', async () => {
    await writeFile(file('start.lock'), '999999999');
    expect((await start()).pid).toBe(pid);
  });

  it('stops the emulator that it found', async () => {
    await (await start()).stop();
    expect(await until(() => !isAlive(pid), 5_000)).toBe(true);
  });

  it('does not believe a record of a process that is something else, leaves it alone, and keeps the data', async () => {
    await writeFile(file('emulator.json'), JSON.stringify({ pid: process.pid, blob: 1, queue: 2, table: 3 }));
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.pid).not.toBe(process.pid);
    expect(one.pid).toBe(two.pid);
    expect([one.found, two.found].sort()).toEqual([false, true]);
    expect(await container(one.connectionString).exists()).toBe(true);
  });
});
