/**
 * Node side of the engine host: loads a function app through the same module as the embedded host, serves its HTTP and
 * timer triggers with the embedded host's code, and calls its durable functions for the .NET host. One argument:
 * RunnerSetup as JSON. Prints "READY" when it can be called; HTTP is served from the first POST /connect on. Ends when
 * its input is closed.
 */
import { loadApp } from '../../src/local/host/core/loadApp.ts';
import type { HostLog } from '../../src/local/host/engine/hostLog.ts';
import { listenLoopback } from '../../src/local/host/http/loopback.ts';
import { serveControl } from './runnerControl.ts';
import { appHandler, serveTriggers, type LateApp } from './runnerHttp.ts';
import type { EngineAddress, RunnerSetup } from './runnerProtocol.ts';

const LEVELS = ['trace', 'debug', 'information', 'warning', 'error', 'critical', 'none'];
const least = LEVELS.indexOf((process.env['ENGINE_LOG'] ?? 'Warning').toLowerCase());
const write = (level: string, message: string, functionName?: string): void => {
  if (LEVELS.indexOf(level) >= least) console.error(`[${level}] ${functionName ?? 'app'}: ${message}`);
};
const log: HostLog = write;

const setup = JSON.parse(process.argv[2] ?? '{}') as RunnerSetup;
// As under the platform's host: the app's address is known before its code is loaded.
process.env['WEBSITE_HOSTNAME'] = `localhost:${String(setup.httpPort)}`;
const late: LateApp = {};
await listenLoopback(setup.httpPort, appHandler(late, log), { ipv6: true });
const app = await loadApp({
  appDirectory: setup.appDirectory,
  log: (level, _category, message, functionName) => write(level, message, functionName),
  ...(setup.entryFiles.length === 0 ? {} : { entryFiles: setup.entryFiles }),
});

const first = Promise.withResolvers<EngineAddress>();
let current: EngineAddress | undefined;
await serveControl(setup.controlPort, app, {
  client: async () => (current ?? (await first.promise)).client,
  connect(to) {
    current = to;
    first.resolve(to);
    late.scope ??= serveTriggers(app, setup, () => current ?? to, log);
  },
});
console.log('READY');
process.stdin.resume().on('end', () => {
  void app.stop().then(() => process.exit(0));
});
