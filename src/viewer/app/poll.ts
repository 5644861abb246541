/** Polling with back-off: fast while things change, slower while they do not, slowest while the server is away. */

const FAST = 1000;
const SLOW = 5000;
const AWAY = 15_000;

/** Milliseconds until the next look: 1 s, rising to 5 s after ten looks without change, doubling to 15 s on failures. */
export function nextDelay(unchanged: number, failures: number): number {
  if (failures > 0) return Math.min(AWAY, FAST * 2 ** Math.min(failures, 10));
  return unchanged < 10 ? FAST : Math.min(SLOW, FAST + (unchanged - 9) * 500);
}

/**
 * Calls `look` until it says that it is over (`done`), then stops. `changed` resets the back-off; a rejection counts as a
 * failure and is retried. Nothing is asked while the page is hidden. Returns the stop function.
 */
export function poll(look: () => Promise<'changed' | 'same' | 'done'>): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unchanged = 0;
  let failures = 0;
  const round = async (): Promise<void> => {
    if (document.visibilityState !== 'hidden') {
      try {
        const seen = await look();
        failures = 0;
        unchanged = seen === 'changed' ? 0 : unchanged + 1;
        if (seen === 'done') stopped = true;
      } catch {
        failures += 1;
      }
    }
    timer = stopped ? undefined : setTimeout(() => void round(), nextDelay(unchanged, failures));
  };
  const wake = (): void => {
    if (stopped || timer === undefined || document.visibilityState === 'hidden') return;
    clearTimeout(timer);
    timer = undefined;
    void round();
  };
  document.addEventListener('visibilitychange', wake);
  void round();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wake);
  };
}
