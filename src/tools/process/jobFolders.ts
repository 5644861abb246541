import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'geoagent-tools-';

/** Folders for the bytes of jobs: one root a host process, one folder a job, readable by the owner only. */
export class JobFolders {
  #root: Promise<string> | undefined;

  /** The root, made on first use; roots of hosts that are gone are removed on the way. */
  root(): Promise<string> {
    this.#root ??= makeRoot();
    return this.#root;
  }

  async open(): Promise<string> {
    return mkdtemp(join(await this.root(), 'job-'));
  }

  async remove(directory: string): Promise<void> {
    await rm(directory, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    if (this.#root !== undefined) await rm(await this.#root, { recursive: true, force: true });
  }
}

async function makeRoot(): Promise<string> {
  await removeOrphans();
  // The real path: the permission to write is given for it and not for a link to it.
  return mkdtemp(join(await realpath(tmpdir()), `${PREFIX}${process.pid}-`));
}

/** A host that was killed could not tidy up. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || alive(Number(pid))) continue;
    // Another user's folder, or one that somebody else removes just now: not ours to insist on.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
