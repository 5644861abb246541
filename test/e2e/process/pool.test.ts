import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, it } from 'vitest';
import type { ToolInput, ToolResult, ToolRun } from '../../../src/catalog/tool.ts';
import { createToolPool } from '../../../src/tools/process/pool.ts';
import { LABELS } from '../../unit/toolRun.ts';

const entry = new URL('./fixtures/entry.ts', import.meta.url);
const faults: string[] = [];
const pool = createToolPool({ size: 2, entry, memoryMb: 256, onFault: (detail) => faults.push(detail) });
afterAll(() => pool.close());

const never = new AbortController().signal;
const limits = { signal: never, timeoutMs: 30_000, memoryMb: 300 };
const runOf = (args: unknown = {}, data?: Uint8Array): ToolRun<unknown> => {
  const input: ToolInput | undefined = data && {
    bytes: data,
    mediaType: 'x',
    type: { kind: 'report' },
    sha256: 'x',
    labels: LABELS,
  };
  return {
    args,
    inputs: new Map(input ? [['data', input]] : []),
    now: 42,
    locale: 'it',
    timeZone: 'UTC',
    labels: LABELS,
  };
};
const call = (tool: string, more: Partial<typeof limits> = {}, run = runOf()): Promise<ToolResult> =>
  pool.run(`test.${tool}`, run, { ...limits, ...more });
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- shapes differ by behaviour
const value = async (work: Promise<ToolResult>): Promise<any> =>
  JSON.parse(new TextDecoder().decode((await work).outputs.get('out')?.bytes));
const failure = async (work: Promise<unknown>): Promise<{ code: string; class: string; message: string }> =>
  work.then(
    () => ({ code: 'none', class: '', message: '' }),
    (error: unknown) => error as { code: string; class: string; message: string },
  );

describe('tool processes', { timeout: 60_000 }, () => {
  it('run a tool with its arguments and stay warm', async () => {
    const first = await value(call('echo', {}, runOf({ a: [1, 'x'] })));
    expect(first).toMatchObject({ args: { a: [1, 'x'] }, now: 42, locale: 'it' });
    expect((await value(call('echo'))).pid).toBe(first.pid);
    expect(first.pid).not.toBe(process.pid);
    expect((await call('echo')).checks).toEqual([{ name: 'c', passed: true, detail: 'd' }]);
  });

  it.each([0, 1, 1000, 128 * 1024, 128 * 1024 + 1, 9_000_000])(
    '%d bytes arrive as they left, and leave nothing behind',
    async (size) => {
      const data = new Uint8Array(size).map((_, n) => (n * 31) % 256);
      const result = await call('copy', {}, runOf({}, data));
      expect(Buffer.compare(Buffer.from(result.outputs.get('out')?.bytes ?? []), Buffer.from(data))).toBe(0);
      const root = readdirSync(tmpdir()).find((name) => name.startsWith(`geoagent-tools-${process.pid}-`));
      expect(readdirSync(`${tmpdir()}/${root ?? ''}`)).toEqual([]);
    },
  );

  it('have no environment, evaluate no strings and write nowhere', async () => {
    expect((await value(call('environment'))).env.filter((name: string) => !name.startsWith('NODE_CHANNEL'))).toEqual(
      [],
    );
    expect(await value(call('evaluate'))).toBe('EvalError');
    expect(await value(call('write'))).toBe('ERR_ACCESS_DENIED');
    expect(existsSync('/tmp/geoagent-escape')).toBe(false);
  });

  it('cannot speak to the user', async () => {
    expect(await value(call('shout'))).toBe('quiet');
  });

  it('inspect files', async () => {
    expect(await pool.inspect(new Uint8Array(5), 'name.csv', never)).toEqual({ size: 5, name: 'name.csv' });
  });

  it('an unknown tool is removed', async () => {
    expect((await failure(call('nothing'))).code).toBe('TOOL_REMOVED');
  });
});

describe('failures cross as data', { timeout: 60_000 }, () => {
  it('an expected one as it is', async () => {
    expect(await failure(call('expected'))).toMatchObject({
      code: 'TOO_FEW_STATIONS',
      class: 'permanent',
      message: 'two are too few',
      retryAfterMs: 5,
    });
  });

  it('a bug without its trace; the log has it', async () => {
    const error = await failure(call('bug'));
    expect(error).toMatchObject({ code: 'TOOL_FAILED', class: 'permanent' });
    expect(error.message).not.toContain('secret');
    expect(faults.join('\n')).toContain('secret detail');
  });

  it.each(['crash', 'exit'])('%s: told, and the next job has a process', async (kind) => {
    expect(await failure(call(kind))).toMatchObject({ code: 'TOOL_FAILED', class: 'transient' });
    expect((await value(call('echo'))).now).toBe(42);
  });

  it.each(['spin', 'wait'])('%s: stopped at its time limit', async (kind) => {
    const start = performance.now();
    expect((await failure(call(kind, { timeoutMs: 300 }))).code).toBe('NODE_TIMEOUT');
    expect(performance.now() - start).toBeLessThan(20_000);
    expect((await value(call('echo'))).now).toBe(42);
  });

  it('a computation is stopped when it is cancelled', async () => {
    const control = new AbortController();
    const work = failure(call('spin', { signal: control.signal }));
    control.abort();
    expect((await work).code).toBe('CANCELLED');
  });

  it('a job that waits for a place can be cancelled, and gives its place on', async () => {
    const small = createToolPool({ size: 1, entry });
    const [blocker, waiting] = [new AbortController(), new AbortController()];
    const first = failure(small.run('test.wait', runOf(), { ...limits, signal: blocker.signal }));
    const second = failure(small.run('test.echo', runOf(), { ...limits, signal: waiting.signal }));
    const third = small.run('test.echo', runOf(), limits);
    waiting.abort();
    expect((await second).code).toBe('CANCELLED');
    blocker.abort();
    expect((await first).code).toBe('CANCELLED');
    expect((await value(third)).now).toBe(42);
    await small.close();
  });

  it.each(['heap', 'buffers'])(
    'memory without end (%s) ends the process, not the host, and says what to do',
    async (kind) => {
      const error = await failure(call(kind, { memoryMb: 200 }));
      expect(error).toMatchObject({ code: 'TOOL_FAILED', class: 'permanent' });
      expect(error.message).toContain('memory');
      expect((await value(call('echo'))).now).toBe(42);
    },
  );
});

describe('the host', { timeout: 60_000 }, () => {
  it('stays responsive while processes compute and large results arrive', async () => {
    await Promise.all([call('echo'), call('echo')]);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const data = new Uint8Array(20_000_000);
    delay.enable();
    await Promise.all([
      failure(call('spin', { timeoutMs: 800 })),
      call('copy', {}, runOf({}, data)),
      call('copy', {}, runOf({}, data)),
    ]);
    delay.disable();
    expect(delay.percentile(95) / 1e6).toBeLessThan(100);
  });

  it('closing ends every process and fails what was under way', async () => {
    const other = createToolPool({ size: 2, entry });
    const { pid } = await value(other.run('test.echo', runOf(), limits));
    const work = failure(other.run('test.wait', runOf(), limits));
    await other.run('test.echo', runOf(), limits);
    await other.close();
    expect((await work).code).toBe('CANCELLED');
    expect(() => process.kill(pid as number, 0)).toThrow();
    expect((await failure(other.run('test.echo', runOf(), limits))).code).toBe('CANCELLED');
  });
});
