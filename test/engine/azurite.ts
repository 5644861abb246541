import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startProcess } from './processes.ts';

/** Azurite's published development key; every emulator has it. */
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

export interface Azurite {
  readonly connectionString: string;
  /** Its last output lines. */
  tail(): string;
  stop(): Promise<void>;
}

/** An emulator in a process of its own, on ports that the system chooses, in memory. */
export async function startAzurite(): Promise<Azurite> {
  const require = createRequire(import.meta.url);
  const main = join(require.resolve('azurite/package.json'), '../dist/src/azurite.js');
  const ports = ['--blobPort', '0', '--queuePort', '0', '--tablePort', '0'];
  const running = await startProcess({
    name: 'azurite',
    command: process.execPath,
    args: [
      // It doesn't watch its input itself: without this it would outlive a test process that was killed.
      '--import',
      new URL('endWithInput.ts', import.meta.url).href,
      main,
      '--inMemoryPersistence',
      '--skipApiVersionCheck',
      '--disableTelemetry',
      '--silent',
      '--loose',
      ...ports,
    ],
    // The table service is the last to start.
    readyLine: /Azurite Table service is successfully listening at (\S+)/,
  });
  const endpoints = ['Blob', 'Queue', 'Table'].map((kind) => {
    const address = new RegExp(`Azurite ${kind} service is successfully listening at (\\S+)`).exec(running.tail())?.[1];
    if (address === undefined)
      throw new Error(`Azurite did not tell where its ${kind} service listens:\n${running.tail()}`);
    return `${kind}Endpoint=${address}/devstoreaccount1`;
  });
  return {
    connectionString: [
      'DefaultEndpointsProtocol=http;AccountName=devstoreaccount1',
      `AccountKey=${KEY}`,
      ...endpoints,
    ].join(';'),
    tail: () => running.tail(),
    stop: () => running.stop(),
  };
}
