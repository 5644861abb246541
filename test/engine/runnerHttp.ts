import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { systemClock } from '../../src/local/host/clock.ts';
import { readHostConfig } from '../../src/local/host/config/hostJson.ts';
import type { LoadedApp } from '../../src/local/host/core/loadApp.ts';
import { indexFunctions } from '../../src/local/host/engine/functionIndex.ts';
import type { HostLog } from '../../src/local/host/engine/hostLog.ts';
import { serveApp, type AppServerScope } from '../../src/local/host/http/appServer.ts';
import { empty } from '../../src/local/host/http/httpTriggers.ts';
import { buildRoutes } from '../../src/local/host/http/routes.ts';
import { forward } from '../../src/local/host/http/streamForward.ts';
import type { MonitorRecord } from '../../src/local/host/store/monitorTable.ts';
import { TimerTriggers } from '../../src/local/host/timers/timerTriggers.ts';
import type { EngineAddress, RunnerSetup } from './runnerProtocol.ts';

/** The app's port, which must be open before the app is loaded and can answer only afterwards. */
export interface LateApp {
  scope?: AppServerScope;
}

/** Answers 503 until the app is there. */
export function appHandler(late: LateApp, log: HostLog): RequestListener {
  return (request, response) => {
    if (late.scope === undefined) {
      empty(response, 503);
      return;
    }
    serveApp(late.scope, request, response).catch((error: unknown) => {
      log('error', `the runner failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      empty(response, 500);
    });
  };
}

/** The embedded host's HTTP and timer triggers over the real engine: only client binding and webhooks are the engine's. */
export function serveTriggers(
  app: LoadedApp,
  setup: RunnerSetup,
  engine: () => EngineAddress,
  log: HostLog,
): AppServerScope {
  // The .NET host indexes durable functions itself; what it can't serve is named by the extension.
  const functions = indexFunctions(app, (level, message, name) => {
    if (!message.includes('durable entities')) log(level, message, name);
  });
  const clientBinding = (): string => engine().client;
  const { routePrefix } = readHostConfig(setup.appDirectory, process.env);
  // Only for this process: a restarted runner has no past to catch up with.
  const monitors = new Map<string, MonitorRecord>();
  const timers = new TimerTriggers(
    {
      app,
      clock: systemClock,
      settings: process.env,
      log,
      clientBinding,
      monitors: { get: (name) => monitors.get(name), put: (name, record) => void monitors.set(name, record) },
    },
    functions.timers,
  );
  timers.start();
  return {
    http: {
      app,
      routes: buildRoutes(functions.http, routePrefix, process.env, log),
      keys: setup.keys,
      enableAuth: setup.enableAuth,
      log,
      clientBinding,
    },
    timers,
    webhooks: (request: IncomingMessage, response: ServerResponse) =>
      passOn(new URL(engine().webhooks), request, response),
  };
}

/** To the extension's own handler; 502 when the .NET host is away. */
async function passOn(target: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await forward(target, request, response, randomUUID()).done;
  if (!response.headersSent && !response.destroyed) empty(response, 502);
}
