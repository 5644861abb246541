import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/ledger/temporary.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../support/ledger/timeRoundTrip.ts', import.meta.url));

describe('O-21 times', () => {
  it('written under one zone and read under another are the same milliseconds', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'ledger.db');
    const times = [
      '2026-11-30T23:59:59.999Z',
      '2026-03-29T02:30:00.001Z',
      '2026-10-25T00:30:00.500Z',
      '2028-02-29T18:29:59.999Z',
    ];
    const under = async (TZ: string, verb: string) => {
      const { stdout } = await run(process.execPath, [script, verb, path, ...times], { env: { ...process.env, TZ } });
      return JSON.parse(stdout) as { offset: number; times: string[] };
    };
    const written = await under('Asia/Kolkata', 'write');
    const read = await under('America/St_Johns', 'read');
    expect(written.offset).toBe(-330);
    expect(read.offset).not.toBe(written.offset);
    expect(read.times).toEqual(times);
    await folder.dispose();
  });
});
