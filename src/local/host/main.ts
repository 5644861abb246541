import { parseArgs } from 'node:util';
import { startHost, StoreLockedError } from './index.ts';

/** Process entry: `--app <folder> --state <folder> --port <n> [--entry <file>]… [--strict] [--auth]`. */
const { values } = parseArgs({
  options: {
    app: { type: 'string' },
    state: { type: 'string' },
    port: { type: 'string', default: '7071' },
    entry: { type: 'string', multiple: true },
    strict: { type: 'boolean', default: false },
    auth: { type: 'boolean', default: false },
  },
});

const host = await startHost({
  appDirectory: values.app ?? process.cwd(),
  stateDirectory: values.state ?? '.local',
  port: Number(values.port),
  strict: values.strict,
  enableAuth: values.auth,
  ...(values.entry === undefined ? {} : { entryFiles: values.entry }),
}).catch((error: unknown) => {
  // A person can act on the message of this one; its stack says nothing.
  console.error(error instanceof StoreLockedError ? error.message : error);
  process.exit(1);
});
console.log(`host ready ${host.baseUrl}`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal does not wait.
    if (stopping) process.exit(1);
    stopping = true;
    void host.stop().then(() => process.exit(0));
  });
}
