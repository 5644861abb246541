import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HOST_APP } from './start.ts';

const MAIN = fileURLToPath(new URL('../../../src/local/host/main.ts', import.meta.url));

export interface HostProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>;
}

/** Starts the host as a process of its own over the test app; resolves when it prints that it is ready. */
export async function spawnHost(stateDirectory: string, env: Record<string, string>, port = 0): Promise<HostProcess> {
  const args = [MAIN, '--app', HOST_APP, '--state', stateDirectory, '--port', String(port), '--strict'];
  const entries = ['activities.ts', 'orchestrators.ts', 'http.ts'].flatMap((file) => ['--entry', file]);
  const child = spawn(process.execPath, [...args, ...entries], {
    env: { ...process.env, HUB: 'TestHub', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = /^host ready (\S+)$/m.exec(output);
      if (match?.[1] !== undefined) resolve(match[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void gone.then(() => reject(new Error(`The host ended before it was ready:\n${output}`)));
  });
  return {
    child,
    baseUrl,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
