import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TimerTriggers } from '../timers/timerTriggers.ts';
import { empty, serveFunction, type HttpScope } from './httpTriggers.ts';
import { opensFunction, opensWebhooks, presentedKey } from './keys.ts';

export const WEBHOOK_PATH = '/runtime/webhooks/durabletask';

export interface AppServerScope {
  readonly http: HttpScope;
  readonly timers: TimerTriggers;
  /** Answers a request to the durable webhooks whose key has been checked. */
  webhooks(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>;
}

const LANDING = '<!doctype html><title>Function host</title><p>The function host is running.</p>\n';

function runByHand(scope: AppServerScope, request: IncomingMessage, response: ServerResponse, url: URL): void {
  const { keys, enableAuth } = scope.http;
  if (enableAuth && !opensFunction(keys, 'admin', presentedKey(request, url.searchParams))) {
    empty(response, 401);
    return;
  }
  const name = decodeURIComponent(url.pathname.split('/')[3] ?? '');
  empty(response, request.method === 'POST' && scope.timers.runNow(name) ? 202 : 404);
}

/** Answers everything on the app's port: landing page, durable webhooks (always behind their key), timers by hand, functions. */
export async function serveApp(
  scope: AppServerScope,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const host = request.headers.host ?? 'localhost';
  let url: URL;
  try {
    url = new URL(request.url ?? '/', `http://${host}`);
  } catch {
    empty(response, 400);
    return;
  }
  const path = url.pathname.toLowerCase();
  if (path === WEBHOOK_PATH || path.startsWith(`${WEBHOOK_PATH}/`)) {
    if (opensWebhooks(scope.http.keys, presentedKey(request, url.searchParams))) {
      await scope.webhooks(request, response, url);
    } else empty(response, 401);
  } else if (path.startsWith('/admin/functions/')) runByHand(scope, request, response, url);
  else if (path === '/' && request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(LANDING);
  } else await serveFunction(scope.http, request, response, url);
}
