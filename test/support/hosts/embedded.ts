import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepLines, type Lines } from '../../engine/processes.ts';
import { appSetup, type AppSetup } from './appEnv.ts';
import type { EmbeddedSetup, FromChild } from './embeddedChild.ts';
import { ENDED, managementClient, waitUntil } from './managementClient.ts';
import { runTimer } from './runTimer.ts';
import { useSharedAzurite } from './sharedAzurite.ts';
import type { TestHost, TestHostOptions } from './types.ts';

const CHILD = join(import.meta.dirname, 'embeddedChild.ts');
const READY_MS = 90_000;

interface Child {
  readonly process: ChildProcess;
  readonly ready: { readonly port: number; readonly durableKey: string; readonly masterKey: string };
  readonly gone: Promise<unknown>;
  end(signal: NodeJS.Signals): Promise<void>;
  ask(message: { advance: number } | { now: true }): Promise<number>;
}

async function startChild(setup: EmbeddedSetup, app: AppSetup, lines: Lines): Promise<Child> {
  const child = fork(CHILD, [JSON.stringify(setup)], {
    env: { ...process.env, NODE_OPTIONS: '', ...app.env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  lines.read('embedded', child);
  const gone = once(child, 'exit');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await gone;
  };
  const answers = new Map<number, (now: number) => void>();
  let asked = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Child['ready']>();
  child.on('message', (message: FromChild) => {
    if ('ready' in message) resolve(message.ready);
    else answers.get(message.id)?.(message.now);
  });
  const timer = setTimeout(
    () => reject(new Error(`The embedded host was not ready in time:\n${lines.text()}`)),
    READY_MS,
  );
  void gone.then(() => reject(new Error(`The embedded host ended before it was ready:\n${lines.text()}`)));
  try {
    const ready = await promise;
    return {
      process: child,
      ready,
      gone,
      end,
      ask(message) {
        asked += 1;
        const id = asked;
        const answered = new Promise<number>((done) => answers.set(id, done));
        child.send({ id, ...message });
        return answered;
      },
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The embedded host in a process of its own. */
export async function startEmbedded(options: TestHostOptions): Promise<TestHost> {
  const azurite = await useSharedAzurite();
  const app = await appSetup(options, azurite.connectionString);
  const lines = keepLines();
  const setup = (shiftMs: number): EmbeddedSetup => ({
    appDirectory: app.appDirectory,
    entryFiles: app.entryFiles,
    stateDirectory: join(app.stateDirectory, 'host'),
    port: app.port,
    clock: options.clock === true,
    shiftMs,
    enableAuth: options.enableAuth === true,
    strict: options.strict ?? true,
  });
  let shiftMs = 0;
  let child: Child;
  try {
    child = await startChild(setup(0), app, lines);
  } catch (error) {
    await azurite.release();
    throw error;
  }
  const { durableKey, masterKey } = child.ready;
  const baseUrl = `http://localhost:${String(app.port)}`;
  const client = managementClient(baseUrl, durableKey);
  const crash = (): Promise<void> => child.end('SIGKILL');
  return {
    name: 'embedded',
    baseUrl,
    client,
    env: app.env,
    stateDirectory: app.stateDirectory,
    waitForEnd: (id, limitMs) =>
      waitUntil(client, id, (status) => ENDED.has(status.runtimeStatus), limitMs, { log: () => lines.text() }),
    waitUntil: (id, predicate, limitMs) => waitUntil(client, id, predicate, limitMs, { log: () => lines.text() }),
    crash,
    crashRunner: crash,
    crashEngine: crash,
    async runnerGone() {
      await child.gone;
    },
    async restart() {
      await crash();
      child = await startChild(setup(shiftMs), app, lines);
    },
    runTimer: (name) => runTimer(baseUrl, masterKey, name),
    async advance(ms) {
      if (options.clock !== true) throw new Error('Start the host with `clock: true` to move its time.');
      shiftMs += ms;
      await child.ask({ advance: ms });
    },
    now: () => child.ask({ now: true }),
    log: () => lines.text(),
    async stop() {
      await child.end('SIGTERM');
      await azurite.release();
      rmSync(app.stateDirectory, { recursive: true, force: true });
    },
  };
}
