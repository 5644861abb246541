/** How long to wait between two looks: fast while things change, slower while they do not, slowest while the server is away. */

const FAST = 1000;
const SLOW = 5000;
const AWAY = 15_000;

/** Milliseconds until the next look: 1 s, rising to 5 s after ten looks without change, doubling to 15 s on failures. */
export function nextDelay(unchanged: number, failures: number): number {
  if (failures > 0) return Math.min(AWAY, FAST * 2 ** Math.min(failures, 10));
  return unchanged < 10 ? FAST : Math.min(SLOW, FAST + (unchanged - 9) * 500);
}
