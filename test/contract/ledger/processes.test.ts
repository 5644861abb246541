import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { temporaryFolder } from '../../support/ledger/temporary.ts';

const script = (name: string) => new URL(`../../support/ledger/${name}`, import.meta.url);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path = '';
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'ledger.db');
});
afterEach(() => folder.dispose());

describe('one SQLite file, several processes', { timeout: 60_000 }, () => {
  it('O-20 three processes race for forty operations and one run: each has one winner', async () => {
    const children = [1, 2, 3].map(() => fork(script('contender.ts'), [path, '40']));
    await Promise.all(children.map((child) => once(child, 'message')));
    const results = children.map((child) => once(child, 'message'));
    for (const child of children) child.send('go');
    const reports = (await Promise.all(results)).map(([report]) => report as { outcome: string; won: number[] });
    const won = reports.flatMap((report) => report.won).sort((a, b) => a - b);
    expect(won).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(reports.map((report) => report.outcome).sort()).toEqual(['created', 'exists', 'exists']);
    const ledger = openSqliteLedger({ path });
    expect(await ledger.verifyAudit()).toEqual({ ok: true, checked: 41, brokenAt: null });
    await ledger.close();
  });

  it('O-20 SIGKILL in the middle of writes: reopened whole, nothing half done, the chain verifies', async () => {
    for (const stopAfter of [0, 7, 23]) {
      const name = `k${stopAfter}`;
      const child = fork(script('crashWriter.ts'), [path, name]);
      const reported = await killAfter(child, stopAfter);
      const ledger = openSqliteLedger({ path });
      await ledger.migrate();
      const projection = await ledger.project(`run-${name}`);
      const completed = projection?.operations.filter((row) => row.state === 'completed') ?? [];
      // What was reported is there; beyond it at most the step under way.
      expect(completed.length).toBeGreaterThanOrEqual(reported + 1);
      const open = projection?.operations.filter((row) => row.state !== 'completed') ?? [];
      expect(open.length).toBeLessThanOrEqual(1);
      expect(projection?.artifacts.map((row) => row.nodeId).sort()).toEqual(completed.map((row) => row.nodeId).sort());
      const events = await ledger.events(`run-${name}`, 0, 1_000_000);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
      expect(events).toHaveLength(1 + 2 * completed.length + open.length);
      expect((await ledger.verifyAudit()).ok).toBe(true);
      await ledger.close();
    }
  });
});

/** Kills the child without warning once it has reported step `n`; answers the last step it reported. */
async function killAfter(child: ChildProcess, n: number): Promise<number> {
  let last = -1;
  const exited = once(child, 'exit');
  child.on('message', (step: number) => {
    last = step;
    if (step >= n) child.kill('SIGKILL');
  });
  await exited;
  return last;
}
