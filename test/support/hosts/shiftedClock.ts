import { systemClock, type Clock } from '../../../src/local/host/clock.ts';

/** The machine's clock, moved forward by hand; for a process that belongs to one test. */
export interface ShiftedClock extends Clock {
  /** Moves forward; what has become due fires at once, in order of time. */
  advance(ms: number): void;
}

interface Armed {
  readonly at: number;
  readonly fire: () => void;
  cancel: () => void;
}

/** Replaces this process's `Date`, so that host, app, ledger and storage client agree on the time. */
export function shiftProcessClock(): ShiftedClock {
  const RealDate = Date;
  const realNow = RealDate.now.bind(RealDate);
  let shift = 0;
  const now = (): number => realNow() + shift;
  globalThis.Date = new Proxy(RealDate, {
    // `new Date()` alone reads the clock; every other form keeps its arguments.
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, key, receiver): unknown => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
  const armed = new Set<Armed>();
  const arm = (timer: Armed): void => {
    timer.cancel = systemClock.setTimer(timer.at, () => {
      armed.delete(timer);
      timer.fire();
    });
  };
  return {
    now,
    setTimer(at, fire) {
      const timer: Armed = { at, fire, cancel: () => undefined };
      armed.add(timer);
      arm(timer);
      return () => {
        armed.delete(timer);
        timer.cancel();
      };
    },
    advance(ms) {
      shift += ms;
      for (const timer of [...armed].sort((a, b) => a.at - b.at)) {
        timer.cancel();
        arm(timer);
      }
    },
  };
}
