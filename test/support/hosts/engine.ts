import { rmSync } from 'node:fs';
import { startEngineHost, type Engine } from '../../engine/harness.ts';
import { appSetup } from './appEnv.ts';
import { ENDED, managementClient, waitUntil } from './managementClient.ts';
import { runTimer } from './runTimer.ts';
import { useSharedAzurite } from './sharedAzurite.ts';
import type { TestHost, TestHostOptions } from './types.ts';

/** Microsoft's extension in the .NET host, the app in the Node runner. */
export async function startEngine(options: TestHostOptions): Promise<TestHost> {
  if (options.clock === true)
    throw new Error("The real engine's clock can't be moved: this case needs the embedded host.");
  const azurite = await useSharedAzurite();
  const app = await appSetup(options, azurite.connectionString);
  let engine: Engine;
  try {
    engine = await startEngineHost({
      appDirectory: app.appDirectory,
      entryFiles: app.entryFiles,
      hubName: app.hub,
      env: app.env,
      port: app.port,
      azurite,
      enableAuth: options.enableAuth === true,
      workerLoss: options.workerLoss ?? 'redeliver',
    });
  } catch (error) {
    await azurite.release();
    throw error;
  }
  const client = managementClient(engine.baseUrl, engine.keys.durable);
  return {
    name: 'engine',
    baseUrl: engine.baseUrl,
    client,
    env: app.env,
    stateDirectory: app.stateDirectory,
    waitForEnd: (id, limitMs) => waitUntil(client, id, (status) => ENDED.has(status.runtimeStatus), limitMs, engine),
    waitUntil: (id, predicate, limitMs) => waitUntil(client, id, predicate, limitMs, engine),
    crash: () => engine.crash(),
    crashRunner: () => engine.killRunner(),
    crashEngine: () => engine.killHost(),
    runnerGone: () => engine.runnerGone(),
    restart: () => engine.restart(),
    runTimer: (name) => runTimer(engine.baseUrl, engine.keys.master, name),
    advance: () => Promise.reject(new Error("The real engine's clock can't be moved.")),
    now: () => Promise.resolve(Date.now()),
    log: () => engine.log(),
    async stop() {
      await engine.stop();
      await azurite.release();
      rmSync(app.stateDirectory, { recursive: true, force: true });
    },
  };
}
