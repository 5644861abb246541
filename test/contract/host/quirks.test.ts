/** Quirks of the engine as the running host shows them, with what it says in its log. Not strict: the engine's way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../src/local/host/index.ts';
import { startTestHost, stateFolder } from '../../support/hostApp/start.ts';

const state = stateFolder();
const clock = manualClock(Date.parse('2026-01-05T10:00:00.000Z'));
let host: Awaited<ReturnType<typeof startTestHost>>;
beforeAll(async () => {
  host = await startTestHost(state.path, { clock, strict: false });
});
afterAll(async () => {
  await host.stop();
  state.remove();
});

const start = (name: string, input: string | null = null): string => host.client.start(name, { input });
async function output(id: string): Promise<unknown> {
  return JSON.parse((await host.waitFor(id)).output ?? 'null');
}
interface Event {
  readonly EventType: number;
  readonly EventId: number;
  readonly Timestamp: string;
  readonly TaskScheduledId?: number;
  readonly Name?: string;
}
const history = (id: string): Event[] => host.client.history(id).map((text) => JSON.parse(text) as Event);
const said = (id: string): string[] => host.log.filter((line) => line.includes(id));
/** Waits for an episode after which the history holds `count` external events. */
const eventsSeen = (id: string, count: number): Promise<unknown> =>
  host.waitFor(id, () => history(id).filter((e) => e.EventType === 15).length >= count);

describe('what the log says', () => {
  it('Q13 a call of an unknown activity: the instance hangs, the function is named once', async () => {
    const id = start('callsUnknown');
    await host.waitFor(id, (r) => r.status === 'Running');
    host.client.raise(id, 'nothing', '1');
    await eventsSeen(id, 1);
    expect(said(id)).toEqual([
      expect.stringMatching(/^error callsUnknown .*Q13: there is no activity function named 'thereIsNoSuchActivity'/),
    ]);
  });

  it('Q17 a timer that nobody cancelled: warned of by number and time, and the end comes with the timer', async () => {
    const id = start('leavesTimer');
    await host.waitFor(id, (r) => r.status === 'Running');
    host.client.raise(id, 'go', '1');
    await eventsSeen(id, 1);
    expect(host.client.status(id)?.status).toBe('Running');
    expect(said(id)).toEqual([expect.stringMatching(/^warning leavesTimer .*Q17: .*timer 0 due /)]);
    clock.advance(60_000);
    expect(await output(id)).toBe('went');
  });

  it('Q19 a history of more than a million characters is warned of once a million', async () => {
    const id = start('wideWaits');
    await host.waitFor(id, (r) => r.status === 'Running');
    host.client.raise(id, 'big', JSON.stringify('x'.repeat(1_100_000)));
    await eventsSeen(id, 1);
    host.client.raise(id, 'other', '1');
    await eventsSeen(id, 2);
    expect(said(id)).toEqual([expect.stringMatching(/^warning wideWaits .*Q19: .*more than 1 million characters/)]);
    host.client.raise(id, 'end', '1');
    expect(await output(id)).toBe(1_100_000);
  });

  it('Q24 a key in an error text is cut from reason and log; the stack keeps it, as on the real host', async () => {
    const id = start('failsWithKey');
    expect((await host.waitFor(id)).output).toMatch(/no access: \[Hidden Credential\]/);
    const failed = host.client.history(id).map((text) => JSON.parse(text) as { Reason?: string; Details?: string });
    const event = failed.find((one) => one.Reason !== undefined);
    expect(event?.Reason).not.toMatch(/abcdef/);
    expect(event?.Details).toMatch(/Stack: Error: no access: AccountKey=abcdef/);
    expect(host.log.join('\n')).not.toMatch(/abcdef/);
  });

  it('Q24 a failing orchestrator whose calls carry such a text loses its state, and the message says why', async () => {
    const record = await host.waitFor(start('failsWithQuotedKey'));
    expect(record).toMatchObject({ status: 'Failed', output: expect.stringMatching(/no JSON any more.*\(Q24\)/) });
  });

  it('Q33 a log line after the handler has ended is only warned of', async () => {
    const late = new Promise<void>((resolve) => {
      (globalThis as { hostTestLateLog?: () => void }).hostTestLateLog = resolve;
    });
    expect(await output(start('logsLate'))).toBe('ended');
    await late;
    expect(host.log).toContainEqual(expect.stringMatching(/^warning logsAfterEnd .*[Uu]nexpected call to 'log'/));
  });
});

describe('what an orchestrator sees', () => {
  it('Q2 time and newGuid are the same at every replay, and timestamps are stored once', async () => {
    const id = start('guids');
    await host.waitFor(id, (r) => r.status === 'Running');
    clock.advance(1_234);
    host.client.raise(id, 'a', '1');
    await host.waitFor(id, (r) => r.customStatus !== null);
    const status = JSON.parse(host.client.status(id)?.customStatus ?? '[]') as unknown;
    const before = host.client.history(id);
    clock.advance(5_000);
    host.client.raise(id, 'b', '1');
    expect(await output(id)).toEqual(status);
    expect(host.client.history(id).slice(0, before.length)).toEqual(before);
  });

  it('Q3 Q4 only scheduling events and the end have an EventId; completions link by number', async () => {
    const id = start('chain');
    await host.waitFor(id);
    const events = history(id);
    expect(events.filter((e) => e.EventId >= 0).map((e) => [e.EventType, e.EventId])).toEqual([
      [4, 0],
      [4, 1],
      [4, 2],
      [1, 3],
    ]);
    expect(events.filter((e) => e.EventType === 5).map((e) => [e.EventId, e.TaskScheduledId])).toEqual([
      [-1, 0],
      [-1, 1],
      [-1, 2],
    ]);
  });

  it('Q5 every text property named Timestamp arrives as a Date', async () => {
    const at = '2026-01-05T10:00:00.000Z';
    const id = start('timestampKind', JSON.stringify({ Timestamp: at, deep: { Timestamp: at }, timestamp: at }));
    expect(await output(id)).toEqual([true, true, false]);
  });

  it('Q8 no input: null for a raw start and for a child', async () => {
    expect(await output(start('givesInput'))).toEqual({ type: 'object', input: null });
    expect(await output(start('childWithoutInput'))).toEqual({ type: 'object', input: null });
  });

  it('Q23 history keeps the order of arrival, several messages in one episode', async () => {
    const id = start('order');
    for (const name of ['three', 'one', 'two']) host.client.raise(id, name, JSON.stringify(name));
    expect(await output(id)).toEqual(['three', 'one', 'two']);
    expect(
      history(id)
        .filter((e) => e.EventType === 15)
        .map((e) => e.Name),
    ).toEqual(['three', 'one', 'two']);
  });

  it('Q29 functions are found whatever the case; the status keeps what the caller wrote', async () => {
    const id = start('CALLSbyOTHERcase');
    expect(await output(id)).toBe(4);
    expect(host.client.status(id)?.name).toBe('CALLSbyOTHERcase');
    expect(host.client.status(`${id}-c`)?.name).toBe('CHAIN');
  });
});

describe('what the status shows', () => {
  it('Q35 the last update is the last committed episode: a waiting instance keeps an old time', async () => {
    const id = start('waitForever');
    const { updatedMs } = await host.waitFor(id, (r) => r.status === 'Running');
    clock.advance(3_600_000);
    expect(host.client.status(id)?.updatedMs).toBe(updatedMs);
    host.client.raise(id, 'other', '1');
    await eventsSeen(id, 1);
    expect(host.client.status(id)?.updatedMs).toBe(clock.now());
  });

  it('Q15 an event with the name of a number is let through when not strict', () => {
    const id = start('waitForever');
    expect(host.client.raise(id, '7', '1')).toBe('accepted');
  });
});
