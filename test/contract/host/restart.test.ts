import { afterAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../src/local/host/index.ts';
import { StoreLockedError } from '../../../src/local/host/index.ts';
import { startTestHost, stateFolder } from '../../support/hostApp/start.ts';

const state = stateFolder();
afterAll(() => state.remove());

describe('a host that starts again on its store', () => {
  it('fires timers that came due while it was down, keeps waiting events, keys and results', async () => {
    const clock = manualClock(Date.parse('2026-01-05T10:00:00.000Z'));
    const first = await startTestHost(state.path, { clock });
    const late = first.client.start('approval', { input: null });
    const waiting = first.client.start('eventThenActivity', { input: null });
    const done = first.client.start('chain', { input: null });
    await first.waitFor(late, (r) => r.status === 'Running');
    await first.waitFor(waiting, (r) => r.status === 'Running');
    await first.waitFor(done);
    first.client.suspend(waiting, 'over night');
    await first.waitFor(waiting, (r) => r.status === 'Suspended');
    await first.stop();

    clock.advance(3_600_000);
    const second = await startTestHost(state.path, { clock });
    expect(second.keys).toEqual(first.keys);
    expect((await second.waitFor(late)).output).toBe('"too late"');
    expect(second.client.status(waiting)?.status).toBe('Suspended');
    second.client.resume(waiting, null);
    second.client.raise(waiting, 'go', '"on"');
    expect((await second.waitFor(waiting)).output).toBe('"on"');
    expect(second.client.status(done)).toMatchObject({ status: 'Completed', output: '3' });
    await second.stop();
  });

  it('Q32 refuses to start on a store that another host has, and leaves nothing behind', async () => {
    const first = await startTestHost(state.path);
    await expect(startTestHost(state.path)).rejects.toThrow(StoreLockedError);
    expect((await fetch(`${first.baseUrl}/`)).status).toBe(200);
    await first.stop();
    await first.stop();
  });

  it('strict mode fails an instance that would hang or go wrong silently', async () => {
    const host = await startTestHost(state.path, { strict: true });
    const unknown = host.client.start('callsUnknown', { input: null });
    expect((await host.waitFor(unknown)).output).toMatch(/Q13/);
    expect(() => host.client.raise(unknown, '3', '1')).toThrow(/Q15/);
    await host.stop();
  });
});
