import type { HttpHandler, HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import * as df from 'durable-functions';
import { createAuthenticator, type Authenticate } from '../../identity/authenticate.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Route } from '../../identity/routes.ts';
import { CursorInvalid, StateInvalid, StoreUnavailable } from '../../ledger/port.ts';
import { ToolError } from '../../plan/errors.ts';
import { services } from '../compose.ts';
import { durableEngine, type Engine } from '../engine.ts';
import type { Services } from '../services.ts';
import { requireAccess, type Caller } from '../access.ts';
import { HttpProblem, isHttpCode, problemResponse } from './problem.ts';

/** What a route's use case gets: who calls, what was sent, and what the app stands on. */
export interface RouteContext {
  readonly services: Services;
  readonly principal: Principal;
  /** The same, with the route: what the role table is asked with about a particular run. */
  readonly caller: Caller;
  readonly request: HttpRequest;
  /** Scheme and host as the caller sees them. */
  readonly origin: string;
  readonly param: (name: string) => string | undefined;
  /** The durable engine; only for functions registered with the durable client input. */
  readonly engine: () => Engine;
}

let authenticates: Authenticate | undefined;

/** Authenticates, authorises by the route table, runs, and turns every failure into problem+json in one place. */
export function route(name: Route, handle: (context: RouteContext) => Promise<HttpResponseInit>): HttpHandler {
  return async (request: HttpRequest, invocation: InvocationContext): Promise<HttpResponseInit> => {
    let built: Services | undefined;
    try {
      built = await services();
      const caller = await callerOf(built, name, request);
      return await handle({
        services: built,
        principal: caller.principal,
        caller,
        request,
        origin: new URL(request.url).origin,
        param: (key) => request.params[key],
        engine: () => durableEngine(df.getClient(invocation)),
      });
    } catch (error) {
      return problemResponse(asProblem(error, built, name, invocation.invocationId));
    }
  };
}

async function callerOf(built: Services, name: Route, request: HttpRequest): Promise<Caller> {
  authenticates ??= createAuthenticator(built.settings);
  const { method, url } = request;
  // In stream mode the worker's own proxy stands between: the host the caller named is the URL's, not the header's.
  const headers = {
    get: (name: string) => (name.toLowerCase() === 'host' ? new URL(url).host : request.headers.get(name)),
  };
  const result = await authenticates({ method, url, headers }, built.now());
  if (!result.ok) throw new HttpProblem(result.code, result.detail);
  const caller: Caller = { principal: result.principal, route: name };
  requireAccess(caller);
  return caller;
}

/** Any failure as a problem: known refusals as they are, stores that are away as 503, the rest as 500 with an id. */
export function asProblem(
  error: unknown,
  built: Services | undefined,
  name: string,
  invocationId: string,
): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof CursorInvalid)
    return new HttpProblem('INVALID_FIELD', 'cursor is not one of ours.', { path: '?cursor' });
  if (error instanceof StoreUnavailable || (error instanceof ToolError && error.class === 'transient')) {
    return new HttpProblem('STORE_UNAVAILABLE', 'A store does not answer at the moment; try again shortly.', {
      headers: { 'retry-after': '5' },
    });
  }
  if (error instanceof ToolError && isHttpCode(error.code)) return new HttpProblem(error.code, error.message);
  const message = error instanceof Error ? error.message : String(error);
  built?.log.requestFailed({ route: name, invocationId, message });
  if (error instanceof StateInvalid)
    return new HttpProblem('INTERNAL', `Stored data could not be read (STATE_INVALID). Reference: ${invocationId}`);
  return new HttpProblem('INTERNAL', `The request could not be served. Reference: ${invocationId}`);
}
