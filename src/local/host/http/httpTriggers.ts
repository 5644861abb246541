import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoadedApp, TypedData } from '../core/loadApp.ts';
import type { HostLog } from '../engine/hostLog.ts';
import { opensFunction, presentedKey, type HostKeys } from './keys.ts';
import { BodyTooLargeError, readBody, requestData, streamMetadata } from './requestData.ts';
import { writeResponse } from './responseData.ts';
import { findRoute, type HttpRoute, type RouteMatch } from './routes.ts';
import { forward, type Forward } from './streamForward.ts';

/** Largest body in buffered mode; the real host's limit. Stream mode has none. */
const BODY_LIMIT = 210 * 1024 * 1024;

/** How long an answer that the library has written may take to arrive over loopback. */
const ANSWER_GRACE_MS = 1_000;

export interface HttpScope {
  readonly app: LoadedApp;
  readonly routes: readonly HttpRoute[];
  readonly keys: HostKeys;
  readonly enableAuth: boolean;
  readonly log: HostLog;
  clientBinding(): string;
}

function inputsOf(match: RouteMatch, trigger: TypedData, binding: () => string): { name: string; data: TypedData }[] {
  const { fn } = match.route;
  return [
    { name: fn.triggerName, data: trigger },
    ...fn.clientInputs.map((name) => ({ name, data: { string: binding() } })),
  ];
}

/** An answer with a status and nothing else. */
export function empty(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-length': 0 }).end();
}

async function buffered(
  scope: HttpScope,
  match: RouteMatch,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const { fn } = match.route;
  const body = await readBody(request, BODY_LIMIT);
  const result = await scope.app.invoke({
    invocationId: randomUUID(),
    functionName: fn.name,
    inputs: inputsOf(match, requestData(request, url, match.params, body), () => scope.clientBinding()),
  });
  if (result.ok) {
    writeResponse(response, result.returnValue ?? result.outputs.get('$return'));
    return;
  }
  scope.log('error', `${result.message}\n${result.stack}`, fn.name);
  empty(response, 500);
}

async function streamed(
  scope: HttpScope,
  match: RouteMatch,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  target: URL,
): Promise<void> {
  const { fn } = match.route;
  const invocationId = randomUUID();
  const forwarded = forward(target, request, response, invocationId);
  const trigger = requestData(request, url, match.params, Buffer.alloc(0));
  const invoked = scope.app.invoke({
    invocationId,
    functionName: fn.name,
    inputs: inputsOf(match, trigger, () => scope.clientBinding()),
    triggerMetadata: streamMetadata(request, url, match.params),
  });
  const result = await Promise.race([invoked, forwarded.done]);
  if (result === undefined) {
    // The client has gone, or the library's server refused: nothing will come.
    if (!response.headersSent && !response.destroyed) empty(response, 500);
    return;
  }
  if (!result.ok) {
    scope.log('error', `${result.message}\n${result.stack}`, fn.name);
    // No answer will come from the library: the host gives it and ends the forwarded request.
    if (forwarded.abandon()) empty(response, 500);
    else response.destroy();
    return;
  }
  await settle(forwarded, response);
}

/** A handler that returned nothing makes the library write no answer; the host gives the 204 of buffered mode. */
async function settle(forwarded: Forward, response: ServerResponse): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<'silent'>((resolve) => {
    timer = setTimeout(() => resolve('silent'), ANSWER_GRACE_MS);
  });
  const first = await Promise.race([forwarded.answered, forwarded.done, silent]);
  clearTimeout(timer);
  if (first === 'silent' && forwarded.abandon()) empty(response, 204);
  else await forwarded.done;
}

/** Serves one request of the app: route, key, invocation. Answers 404, 401, 500 with an empty body as the real host does. */
export async function serveFunction(
  scope: HttpScope,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const match = findRoute(scope.routes, request.method ?? 'GET', url.pathname);
  if (match === undefined) {
    empty(response, 404);
    return;
  }
  if (scope.enableAuth && !opensFunction(scope.keys, match.route.authLevel, presentedKey(request, url.searchParams))) {
    empty(response, 401);
    return;
  }
  const target = scope.app.capabilities['HttpUri'];
  try {
    if (target === undefined) await buffered(scope, match, request, response, url);
    else await streamed(scope, match, request, response, url, new URL(target));
  } catch (error) {
    if (error instanceof BodyTooLargeError) {
      empty(response, 413);
      return;
    }
    throw error;
  }
}
