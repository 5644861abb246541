import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { resolveText, type Settings } from '../config/settings.ts';
import type { LoadedApp, RegisteredFunction, TypedData } from '../core/loadApp.ts';
import type { HostLog } from '../engine/hostLog.ts';
import type { MonitorRecord } from '../store/monitorTable.ts';
import { parseSchedule, type Schedule } from './schedule.ts';

/** Where the state of monitored schedules is kept. */
export interface TimerMonitors {
  get(functionName: string): MonitorRecord | undefined;
  put(functionName: string, record: MonitorRecord): void;
}

export interface TimerScope {
  readonly app: LoadedApp;
  readonly clock: Clock;
  readonly monitors: TimerMonitors;
  readonly settings: Settings;
  readonly log: HostLog;
  clientBinding(): string;
}

interface Timer {
  readonly fn: RegisteredFunction;
  readonly schedule: Schedule;
  readonly monitored: boolean;
  cancel: () => void;
}

/** .NET's round-trip form of a time; the earliest date for "never". */
const netTime = (ms: number): string =>
  ms === 0 ? '0001-01-01T00:00:00' : new Date(ms).toISOString().replace('Z', '+00:00');

/** The app's timer functions: one run at a time each, the next occurrence computed after the current run. */
export class TimerTriggers {
  readonly #scope: TimerScope;
  readonly #timers: Timer[] = [];
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(scope: TimerScope, functions: readonly RegisteredFunction[]) {
    this.#scope = scope;
    for (const fn of functions) {
      try {
        const { schedule: text, useMonitor } = fn.trigger as { schedule?: unknown; useMonitor?: unknown };
        const schedule = parseSchedule(resolveText(typeof text === 'string' ? text : '', scope.settings));
        this.#timers.push({
          fn,
          schedule,
          monitored: useMonitor !== false && !schedule.frequent,
          cancel: () => undefined,
        });
      } catch (error) {
        scope.log(
          'error',
          `this timer is not served: ${error instanceof Error ? error.message : String(error)}`,
          fn.name,
        );
      }
    }
  }

  /** Arms all timers. A monitored one that missed an occurrence runs at once, past due; `runOnStartup` runs once now. */
  start(): void {
    const now = this.#scope.clock.now();
    for (const timer of this.#timers) {
      const missed = this.#missed(timer, now);
      if (missed) this.#run(timer, true);
      else if (timer.fn.trigger['runOnStartup'] === true) this.#run(timer, false);
      else this.#arm(timer);
    }
  }

  /** Starts a timer function by hand; false when there is none of that name. */
  runNow(name: string): boolean {
    const timer = this.#timers.find((t) => t.fn.name.toLowerCase() === name.toLowerCase());
    if (timer === undefined || this.#stopped) return false;
    timer.cancel();
    this.#run(timer, false);
    return true;
  }

  /** Disarms all timers and waits for running functions, at most `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) timer.cancel();
    let handle: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      handle = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(this.#running), grace]);
    clearTimeout(handle);
  }

  #missed(timer: Timer, now: number): boolean {
    if (!timer.monitored) return false;
    const { monitors } = this.#scope;
    const record = monitors.get(timer.fn.name);
    if (record === undefined) {
      const next = timer.schedule.next(now);
      if (next !== undefined) monitors.put(timer.fn.name, { lastMs: 0, nextMs: next, updatedMs: now });
      return false;
    }
    // Counted from the record by today's schedule, which may have changed since the record was written.
    const due = timer.schedule.next(record.lastMs === 0 ? record.updatedMs : record.lastMs);
    return due !== undefined && due <= now;
  }

  #arm(timer: Timer): void {
    if (this.#stopped) return;
    const next = timer.schedule.next(this.#scope.clock.now());
    if (next === undefined) return;
    timer.cancel = this.#scope.clock.setTimer(next, () => this.#run(timer, false));
  }

  #run(timer: Timer, pastDue: boolean): void {
    const run = this.#invoke(timer, pastDue).finally(() => {
      this.#running.delete(run);
      this.#arm(timer);
    });
    this.#running.add(run);
  }

  async #invoke(timer: Timer, pastDue: boolean): Promise<void> {
    const { app, clock, monitors, log } = this.#scope;
    const { fn } = timer;
    const record = monitors.get(fn.name);
    const started = clock.now();
    const input = {
      Schedule: { AdjustForDST: timer.schedule.adjustForDst },
      ScheduleStatus:
        timer.monitored && record !== undefined
          ? { Last: netTime(record.lastMs), Next: netTime(record.nextMs), LastUpdated: netTime(record.updatedMs) }
          : null,
      IsPastDue: pastDue,
    };
    const inputs: { name: string; data: TypedData }[] = [
      { name: fn.triggerName, data: { json: JSON.stringify(input) } },
    ];
    for (const name of fn.clientInputs) inputs.push({ name, data: { string: this.#scope.clientBinding() } });
    const result = await app.invoke({ invocationId: randomUUID(), functionName: fn.name, inputs });
    // A failure never stops the schedule.
    if (!result.ok) log('error', `${result.message}\n${result.stack}`, fn.name);
    const next = timer.schedule.next(clock.now());
    if (timer.monitored && next !== undefined)
      monitors.put(fn.name, { lastMs: started, nextMs: next, updatedMs: clock.now() });
  }
}
