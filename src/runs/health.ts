import type { Services } from './services.ts';

export interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly checks: Readonly<Record<string, string>>;
}

const LIMIT_MS = 5_000;

/** Shallow: do the stores answer? Never says where they are. */
export async function health(services: Services): Promise<Health> {
  const checks: Record<string, string> = {};
  const probe = async (name: string, ask: () => Promise<void>): Promise<void> => {
    try {
      await Promise.race([ask(), timeout()]);
      checks[name] = 'ok';
    } catch {
      checks[name] = 'unavailable';
    }
  };
  await Promise.all([probe('ledger', () => services.ledger.ping()), probe('artifacts', () => services.store.ready())]);
  const ok = Object.values(checks).every((check) => check === 'ok');
  return { status: ok ? 'ok' : 'unavailable', checks };
}

function timeout(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), LIMIT_MS).unref();
  });
}
