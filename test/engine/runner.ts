/**
 * Node side of the engine host: loads a function app through the same module as the embedded host and answers
 * GET /functions, POST /client, POST /invoke on a loopback port. Arguments: app directory, then entry files (none:
 * package.json's main). Prints "READY <port>" and ends when its input is closed.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { loadApp } from '../../src/local/host/core/loadApp.ts';
import type { LoadedApp, RegisteredFunction, TypedData } from '../../src/local/host/core/loadApp.ts';

let client = '';

interface Call {
  readonly name: string;
  readonly payload: string | null;
}

async function invoke(app: LoadedApp, byName: ReadonlyMap<string, RegisteredFunction>, call: Call): Promise<unknown> {
  const fn = byName.get(call.name);
  if (fn === undefined) return { ok: false, message: `No function named "${call.name}".`, stack: '' };
  const trigger: TypedData = call.payload === null ? {} : { string: call.payload };
  const clients = fn.clientInputs.map((name) => ({ name, data: { string: client } }));
  return app.invoke({
    invocationId: randomUUID(),
    functionName: call.name,
    inputs: [{ name: fn.triggerName, data: trigger }, ...clients],
  });
}

async function answer(
  app: LoadedApp,
  byName: ReadonlyMap<string, RegisteredFunction>,
  request: IncomingMessage,
): Promise<unknown> {
  switch (`${request.method ?? ''} ${request.url ?? ''}`) {
    case 'GET /functions':
      return app.functions.map((fn) => ({ name: fn.name, trigger: fn.trigger.type }));
    case 'POST /client':
      client = await text(request);
      return {};
    case 'POST /invoke':
      return invoke(app, byName, JSON.parse(await text(request)) as Call);
    default:
      throw new Error('unknown path');
  }
}

const [appDirectory = process.cwd(), ...entryFiles] = process.argv.slice(2);
const app = await loadApp({
  appDirectory,
  log: (level, _category, message, functionName) => {
    if (level !== 'trace' && level !== 'debug') console.error(`[${level}] ${functionName ?? 'app'}: ${message}`);
  },
  ...(entryFiles.length === 0 ? {} : { entryFiles }),
});
const byName = new Map(app.functions.map((fn) => [fn.name, fn]));
const server = createServer((request, response) => {
  answer(app, byName, request).then(
    (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`READY ${typeof address === 'object' && address !== null ? address.port : 0}`);
});
process.stdin.resume().on('end', () => {
  void app.stop().then(() => process.exit(0));
});
