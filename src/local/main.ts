/** `npm start` and `npm run demo`. */
import { parseArgs } from 'node:util';
import { demo } from './start/demo.ts';
import { startSystem } from './start/system.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    state: { type: 'string' },
    // For tests: an instance that would go wrong silently on Azure fails; otherwise it is named in the log.
    strict: { type: 'boolean', default: false },
  },
});
const state = values.state === undefined ? {} : { state: values.state };

async function start(): Promise<void> {
  const port = Number(values.port ?? process.env['PORT'] ?? 7071);
  const system = await startSystem({ port, strict: values.strict, ...state });
  process.stdout.write(`ready ${system.baseUrl}/api/ui\n`);
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    void system.stop(true).then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

try {
  if (positionals[0] === 'demo') process.exit(await demo({ port: Number(values.port ?? 0), ...state }));
  else await start();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
