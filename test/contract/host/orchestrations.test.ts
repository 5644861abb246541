import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../src/local/host/index.ts';
import { startTestHost, stateFolder } from '../../support/hostApp/start.ts';

const state = stateFolder();
const clock = manualClock(Date.parse('2026-01-05T10:00:00.000Z'));
let host: Awaited<ReturnType<typeof startTestHost>>;

beforeAll(async () => {
  host = await startTestHost(state.path, { clock });
});
afterAll(async () => {
  await host.stop();
  state.remove();
});

/** Starts and returns the output of the finished instance. */
async function run(name: string, input: unknown = null): Promise<unknown> {
  const id = host.client.start(name, { input: JSON.stringify(input) });
  const record = await host.waitFor(id);
  return record.status === 'Completed'
    ? JSON.parse(record.output ?? 'null')
    : `${record.status}: ${record.output ?? ''}`;
}

interface Timer {
  readonly EventType: number;
  readonly EventId?: number;
  readonly TimerId?: number;
  readonly FireAt: string;
}

/** Waits until the instance has an open timer, and moves the clock to it. */
async function fireTimer(id: string): Promise<void> {
  const openTimer = (): Timer | undefined => {
    const events = host.client.history(id).map((text) => JSON.parse(text) as Timer);
    return events.find(
      (e) => e.EventType === 10 && !events.some((other) => other.EventType === 11 && other.TimerId === e.EventId),
    );
  };
  await host.waitFor(id, () => openTimer() !== undefined);
  const timer = openTimer();
  clock.advanceTo(Date.parse(timer?.FireAt ?? ''));
  await host.waitFor(id, () => openTimer()?.EventId !== timer?.EventId);
}

describe('orchestrations on the embedded host, through the real SDK', () => {
  it('runs a chain and keeps the custom status', async () => {
    const id = host.client.start('chain', { input: null });
    const record = await host.waitFor(id);
    expect(record).toMatchObject({ status: 'Completed', output: '3', customStatus: '{"step":2}' });
  });

  it('gives activities every input kind as the engine does (Q25: a boolean arrives as text)', async () => {
    expect(await run('inputKinds')).toEqual([
      { type: 'string', value: 'Tokyo' },
      { type: 'number', value: 5 },
      { type: 'number', value: 2.5 },
      { type: 'object', value: { a: 1 } },
      { type: 'array', value: [1] },
      { type: 'string', value: 'True' },
      { type: 'undefined', value: null },
      { type: 'undefined', value: null },
    ]);
  });

  it('Q7 a failure carries the engine text with two spaces, and details', async () => {
    const message = (await run('catchFailure')) as string;
    expect(message.startsWith("Activity function 'fail' failed:  disk full \n {")).toBe(true);
  });

  it('a failure that nobody catches fails the instance, and its parent can catch that', async () => {
    expect(await run('escape')).toMatch(
      /^Failed: Orchestrator function 'escape' failed: Activity function 'fail' failed: {2}nobody catches/,
    );
    expect(await run('parentOfFailure')).toMatch(/^Orchestrator function 'escape' failed: /);
  });

  it('retries with durable timers, and fails after the last try', async () => {
    const works = host.client.start('retry', { input: JSON.stringify({ key: 'works', failures: 2 }) });
    await fireTimer(works);
    await fireTimer(works);
    expect((await host.waitFor(works)).output).toBe('3');
    const gives = host.client.start('retry', { input: JSON.stringify({ key: 'never', failures: 9 }) });
    await fireTimer(gives);
    await fireTimer(gives);
    await fireTimer(gives);
    expect((await host.waitFor(gives)).output).toMatch(/failed: {2}try 3/);
  });

  it('runs children with and without an id', async () => {
    expect(await run('parent')).toBe(3 + 6);
  });

  it('takes 200 parallel activities', async () => {
    expect(await run('parallel', 200)).toBe((199 * 200) / 2);
  });

  it('any of timer and event: the event wins and the timer is cancelled', async () => {
    const id = host.client.start('approval', { input: null });
    expect(host.client.raise(id, 'Approval', '"yes"')).toBe('accepted');
    expect((await host.waitFor(id)).output).toBe('{"approved":"yes"}');
  });

  it('any of timer and event: the timer wins', async () => {
    const id = host.client.start('approval', { input: null });
    await fireTimer(id);
    expect((await host.waitFor(id)).output).toBe('"too late"');
  });

  it('a timer of ten days runs in slices and fires at its time', async () => {
    const start = clock.now();
    const id = host.client.start('longTimer', { input: '10' });
    for (let slice = 0; slice < 4; slice += 1) await fireTimer(id);
    expect(JSON.parse((await host.waitFor(id)).output ?? '')).toBe(new Date(start + 10 * 86_400_000).toISOString());
  });

  it('continues as new, keeps the custom status, and starts a new history', async () => {
    const id = host.client.start('countdown', { input: JSON.stringify({ left: 2, seen: [] }) });
    await host.waitFor(id, (r) => r.customStatus === '{"left":2}');
    host.client.raise(id, 'tick', '"a"');
    await host.waitFor(id, (r) => r.customStatus === '{"left":1}');
    host.client.raise(id, 'tick', '"b"');
    expect((await host.waitFor(id)).output).toBe('["a","b"]');
    const events = host.client.history(id).map((text) => (JSON.parse(text) as { EventType: number }).EventType);
    expect(events).toEqual([12, 0, 1, 13]);
  });

  it('suspends (reason shown as output, Q20), queues events, and resumes', async () => {
    const id = host.client.start('eventThenActivity', { input: null });
    await host.waitFor(id, (r) => r.status === 'Running');
    expect(host.client.suspend(id, 'lunch')).toBe('accepted');
    expect((await host.waitFor(id, (r) => r.status === 'Suspended')).output).toBe('lunch');
    expect(() => host.client.suspend(id, 'again')).toThrow(/because instance is in the Suspended state/);
    host.client.raise(id, 'go', '7');
    await host.waitFor(id, () => host.client.history(id).some((text) => text.includes('"EventType":15')));
    expect(host.client.status(id)?.status).toBe('Suspended');
    expect(host.client.resume(id, 'back')).toBe('accepted');
    expect((await host.waitFor(id)).output).toBe('7');
  });

  it('terminates with the reason as output, and takes nothing afterwards', async () => {
    const id = host.client.start('waitForever', { input: null });
    expect(host.client.terminate(id, 'enough')).toBe('accepted');
    expect(await host.waitFor(id)).toMatchObject({ status: 'Terminated', output: 'enough' });
    expect(host.client.raise(id, 'never', '1')).toBe('finished');
    expect(host.client.raise('nobody', 'never', '1')).toBe('notFound');
  });

  it('an activity with a durable client raises an event over RPC', async () => {
    const waiting = host.client.start('eventThenActivity', { input: null });
    expect(await run('wakeOther', { instanceId: waiting, name: 'go', data: { n: 1 } })).toBe('raised');
    expect((await host.waitFor(waiting)).output).toBe('{"n":1}');
  });

  it('refuses entity calls by name', async () => {
    expect(await run('callsEntity')).toMatch(/^Failed: .*does not support callEntity \(durable entities\)/);
  });

  it('fails an orchestrator that changes its mind as non-deterministic', async () => {
    expect(await run('changesItsMind')).toMatch(/Non-Deterministic workflow detected/);
  });

  it('restart keeps the input; purge removes everything', async () => {
    const id = host.client.start('parallel', { input: '3' });
    await host.waitFor(id);
    const again = host.client.restart(id, true);
    expect((await host.waitFor(again)).output).toBe('3');
    expect(host.client.purge(id)).toBe(true);
    expect(host.client.status(id)).toBeUndefined();
    expect(host.client.history(id)).toEqual([]);
    expect(host.client.purge(id)).toBe(false);
  });
});
