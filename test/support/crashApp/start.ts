import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestHost } from '../hosts/start.ts';
import type { HostName, TestHost, TestHostOptions } from '../hosts/types.ts';
import { freshHub } from '../hosts/appEnv.ts';

export interface CrashApp {
  readonly host: TestHost;
  readonly hub: string;
  /** Lines written by the app so far. */
  events(): string[];
  /** Resolves when the line has been written `times`. */
  seen(line: string, times?: number): Promise<void>;
  /** Lets the slow activity end. */
  go(): void;
  stop(): Promise<void>;
}

/** The crash app on a host, with a log of its own. */
export async function startCrashApp(name: HostName, options: TestHostOptions = {}): Promise<CrashApp> {
  const folder = mkdtempSync(join(tmpdir(), 'crash-app-'));
  const log = join(folder, 'events.log');
  const hub = freshHub();
  writeFileSync(log, '');
  const host = await startTestHost(name, {
    appDirectory: import.meta.dirname,
    entryFiles: ['functions.ts'],
    ...options,
    env: { CRASH_LOG: log, CRASH_HUB: hub, ...options.env },
  });
  const events = (): string[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  return {
    host,
    hub,
    events,
    async seen(line, times = 1) {
      const until = Date.now() + 60_000;
      while (events().filter((one) => one === line).length < times) {
        if (Date.now() > until) throw new Error(`"${line}" was not seen:\n${events().join('\n')}\n${host.log()}`);
        await delay(20);
      }
    },
    go: () => writeFileSync(`${log}.go`, ''),
    async stop() {
      await host.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
