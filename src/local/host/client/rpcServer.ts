import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenLoopback, type Listener } from '../http/loopback.ts';
import { empty } from '../http/httpTriggers.ts';
import { serveManagement } from '../management/httpAdapter.ts';
import type { ManagementScope } from '../management/management.ts';

const BASE = '/durabletask';
/** The port that the durable extension takes first. */
const DEFAULT_PORT = 17_071;

/**
 * The local RPC endpoint of the durable client. It has no key, so it listens on 127.0.0.1 alone, answers only to its
 * own name (a page on a rebound DNS name carries another), and never to a browser's cross-site request.
 */
function serve(
  scope: ManagementScope,
  port: () => number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const allowed = [`127.0.0.1:${port()}`, `localhost:${port()}`];
  if (!allowed.includes(request.headers.host ?? '') || request.headers.origin !== undefined) {
    empty(response, 403);
    return Promise.resolve();
  }
  const url = new URL(request.url ?? '/', `http://127.0.0.1:${port()}`);
  if (!url.pathname.toLowerCase().startsWith(`${BASE}/`)) {
    empty(response, 404);
    return Promise.resolve();
  }
  return serveManagement(scope, BASE, request, response, url);
}

/** Listens on the default port, or on a free one when that is taken. */
export async function startRpcServer(scope: ManagementScope, onError: (error: unknown) => void): Promise<Listener> {
  let actual = 0;
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    serve(scope, () => actual, request, response).catch((error: unknown) => {
      onError(error);
      empty(response, 500);
    });
  };
  let listener: Listener;
  try {
    listener = await listenLoopback(DEFAULT_PORT, handler, { ipv6: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    listener = await listenLoopback(0, handler, { ipv6: false });
  }
  actual = listener.port;
  return listener;
}
