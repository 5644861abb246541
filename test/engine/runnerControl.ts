import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LoadedApp, RegisteredFunction, TypedData } from '../../src/local/host/core/loadApp.ts';
import type { Call, EngineAddress } from './runnerProtocol.ts';

export interface Control {
  /** The durable client binding; resolves when the engine is known. */
  client(): Promise<string>;
  connect(to: EngineAddress): void;
}

type ByName = ReadonlyMap<string, RegisteredFunction>;

async function invoke(app: LoadedApp, byName: ByName, control: Control, call: Call): Promise<unknown> {
  const fn = byName.get(call.name);
  if (fn === undefined) return { ok: false, message: `No function named "${call.name}".`, stack: '' };
  const trigger: TypedData = call.payload === null ? {} : { string: call.payload };
  const inputs = [{ name: fn.triggerName, data: trigger }];
  for (const name of fn.clientInputs) inputs.push({ name, data: { string: await control.client() } });
  return app.invoke({ invocationId: randomUUID(), functionName: call.name, inputs });
}

async function answer(app: LoadedApp, byName: ByName, control: Control, request: IncomingMessage): Promise<unknown> {
  switch (`${request.method ?? ''} ${request.url ?? ''}`) {
    case 'GET /functions':
      return app.functions.map((fn) => ({ name: fn.name, trigger: fn.trigger.type }));
    case 'POST /connect':
      control.connect(JSON.parse(await text(request)) as EngineAddress);
      return {};
    case 'POST /invoke':
      return invoke(app, byName, control, JSON.parse(await text(request)) as Call);
    default:
      throw new Error('unknown path');
  }
}

/** Listens for the .NET host and the harness: GET /functions, POST /connect, POST /invoke. */
export async function serveControl(port: number, app: LoadedApp, control: Control): Promise<void> {
  const byName = new Map(app.functions.map((fn) => [fn.name, fn]));
  const server = createServer((request, response) => {
    answer(app, byName, control, request).then(
      (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  // An activity may run for minutes before it answers.
  server.requestTimeout = 0;
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', () => resolve(undefined));
  await promise;
}
