import { nextDelay } from './backoff.ts';

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
