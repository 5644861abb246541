/** Time as the host sees it; everything in the host that waits or stamps goes through one of these. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fire` once, at `at` (ms since the epoch) or as soon after as possible; returns a function that cancels. */
  setTimer(at: number, fire: () => void): () => void;
}

/** Longest delay Node's timers take. */
const MAX_DELAY = 2_147_483_647;

/** The machine's clock. A timer never fires before its time by this clock, however far away it is. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(at, fire) {
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const delay = Math.min(Math.max(at - Date.now(), 0), MAX_DELAY);
      handle = setTimeout(() => {
        if (Date.now() < at) arm();
        else fire();
      }, delay);
    };
    arm();
    return () => clearTimeout(handle);
  },
};

interface Armed {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/** A clock that moves by hand; for tests. */
export interface ManualClock extends Clock {
  /** Moves to `to` (ms since the epoch), firing due timers in order of their time; the clock shows each timer's time. */
  advanceTo(to: number): void;
  advance(ms: number): void;
  /** Time of the earliest armed timer; undefined when none is armed. */
  nextTimer(): number | undefined;
}

/** A manual clock that shows `start` (ms since the epoch). */
export function manualClock(start: number): ManualClock {
  let now = start;
  let order = 0;
  const armed = new Set<Armed>();
  const earliest = (): Armed | undefined => [...armed].sort((a, b) => a.at - b.at || a.order - b.order)[0];
  return {
    now: () => now,
    setTimer(at, fire) {
      order += 1;
      const timer = { at, order, fire };
      armed.add(timer);
      return () => void armed.delete(timer);
    },
    advanceTo(to) {
      for (let next = earliest(); next !== undefined && next.at <= to; next = earliest()) {
        armed.delete(next);
        now = Math.max(now, next.at);
        next.fire();
      }
      now = Math.max(now, to);
    },
    advance(ms) {
      this.advanceTo(now + ms);
    },
    nextTimer: () => earliest()?.at,
  };
}
