import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock, type ManualClock } from '../../../src/local/host/clock.ts';
import type {
  Invocation,
  InvocationResult,
  LoadedApp,
  RegisteredFunction,
} from '../../../src/local/host/core/loadApp.ts';
import { openStore, type Store } from '../../../src/local/host/store/store.ts';
import { TimerTriggers } from '../../../src/local/host/timers/timerTriggers.ts';
import { stateFolder } from '../../support/hostApp/start.ts';

interface Run {
  readonly IsPastDue: boolean;
  readonly ScheduleStatus: { readonly Last: string; readonly Next: string } | null;
}
const START = Date.parse('2026-01-05T10:30:00Z');
const HOUR = 3_600_000;
let state: ReturnType<typeof stateFolder>;
let store: Store;
let clock: ManualClock;
let runs: Run[];
let answer: () => Promise<InvocationResult>;
const log: string[] = [];

beforeEach(() => {
  state = stateFolder();
  store = openStore(state.path);
  clock = manualClock(START);
  runs = [];
  answer = () => Promise.resolve({ ok: true, returnValue: undefined, outputs: new Map() });
});
afterEach(() => {
  store.close();
  state.remove();
});

function timers(trigger: Record<string, unknown>): TimerTriggers {
  const binding = { type: 'timerTrigger', direction: 'in' as const, ...trigger };
  const fn: RegisteredFunction = {
    name: 'tick',
    id: 'tick',
    bindings: new Map(),
    triggerName: 't',
    trigger: binding,
    clientInputs: [],
  };
  const app: LoadedApp = {
    functions: [fn],
    capabilities: {},
    stop: () => Promise.resolve(),
    invoke: (invocation: Invocation) => {
      runs.push(JSON.parse(invocation.inputs[0]?.data.json ?? '{}') as Run);
      return answer();
    },
  };
  return new TimerTriggers(
    {
      app,
      clock,
      monitors: store.monitors,
      settings: { EVERY: '01:00:00' },
      log: (_l, m) => void log.push(m),
      clientBinding: () => '{}',
    },
    [fn],
  );
}
/** Lets a finished run arm its next timer. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('timer triggers', () => {
  it('runs every hour, with the status of the run before', async () => {
    const t = timers({ schedule: '%EVERY%' });
    t.start();
    clock.advance(HOUR);
    await turn();
    clock.advance(HOUR);
    await turn();
    expect(runs.map((r) => r.IsPastDue)).toEqual([false, false]);
    expect(runs[1]?.ScheduleStatus).toMatchObject({
      Last: '2026-01-05T11:30:00.000+00:00',
      Next: '2026-01-05T12:30:00.000+00:00',
    });
    await t.stop(100);
    clock.advance(HOUR);
    expect(runs).toHaveLength(2);
  });

  it('a missed occurrence runs at once at the next start, past due', async () => {
    const first = timers({ schedule: '%EVERY%' });
    first.start();
    await first.stop(100);
    clock.advance(3 * HOUR);
    const second = timers({ schedule: '%EVERY%' });
    second.start();
    await turn();
    expect(runs.map((r) => r.IsPastDue)).toEqual([true]);
    await second.stop(100);
  });

  it('without a monitor nothing is past due, and runOnStartup runs at every start', async () => {
    for (let i = 0; i < 2; i += 1) {
      const t = timers({ schedule: '%EVERY%', useMonitor: false, runOnStartup: true });
      t.start();
      await turn();
      await t.stop(100);
      clock.advance(3 * HOUR);
    }
    expect(runs).toEqual([
      expect.objectContaining({ IsPastDue: false, ScheduleStatus: null }),
      expect.objectContaining({ IsPastDue: false }),
    ]);
  });

  it('never overlaps, and a failure does not stop the schedule', async () => {
    let release: (() => void) | undefined;
    answer = () =>
      new Promise((resolve) => {
        release = () => resolve({ ok: false, message: 'no luck', stack: '' });
      });
    const t = timers({ schedule: '%EVERY%' });
    t.start();
    clock.advance(HOUR);
    clock.advance(5 * HOUR);
    expect(runs).toHaveLength(1);
    release?.();
    await turn();
    clock.advance(HOUR);
    expect(runs).toHaveLength(2);
    expect(log.join()).toMatch(/no luck/);
    release?.();
    await turn();
    await t.stop(100);
  });

  it('a schedule that cannot be read is named, and runs by hand work for others only', async () => {
    const t = timers({ schedule: 'now and then' });
    expect(log.join()).toMatch(/not served/);
    expect(t.runNow('tick')).toBe(false);
    const good = timers({ schedule: '%EVERY%' });
    expect(good.runNow('TICK')).toBe(true);
    await turn();
    expect(runs).toHaveLength(1);
    await good.stop(100);
  });
});
