import type { HttpHandler, HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import * as df from 'durable-functions';
import { authenticate } from '../../identity/authenticate.ts';
import { authorize } from '../../identity/authorize.ts';
import type { Principal } from '../../identity/principal.ts';
import type { RouteName } from '../../identity/routes.ts';
import { StateInvalid, StoreUnavailable } from '../../ledger/port.ts';
import { ToolError } from '../../plan/errors.ts';
import { services } from '../compose.ts';
import { durableEngine, type Engine } from '../engine.ts';
import type { Services } from '../services.ts';
import { HttpProblem, isHttpCode, problemResponse } from './problem.ts';

/** What a route's use case gets: who calls, what was sent, and what the app stands on. */
export interface RouteContext {
  readonly services: Services;
  readonly principal: Principal;
  readonly request: HttpRequest;
  /** Scheme and host as the caller sees them. */
  readonly origin: string;
  param(name: string): string | undefined;
  /** The durable engine; only for functions registered with the durable client input. */
  engine(): Engine;
}

/** Authenticates, authorises by the route table, runs, and turns every failure into problem+json in one place. */
export function route(name: RouteName, handle: (context: RouteContext) => Promise<HttpResponseInit>): HttpHandler {
  return async (request: HttpRequest, invocation: InvocationContext): Promise<HttpResponseInit> => {
    let built: Services | undefined;
    try {
      built = await services();
      const principal = await caller(built, name, request);
      return await handle({
        services: built,
        principal,
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

async function caller(built: Services, name: RouteName, request: HttpRequest): Promise<Principal> {
  const outcome = await authenticate(
    { method: request.method, url: request.url, headers: request.headers, route: name },
    built.settings,
    built.now(),
  );
  if (!outcome.ok) throw new HttpProblem(outcome.code, outcome.detail);
  if (!authorize(outcome.principal, name)) {
    throw new HttpProblem(
      'FORBIDDEN',
      `Your roles (${outcome.principal.roles.join(', ') || 'none'}) do not allow this.`,
    );
  }
  return outcome.principal;
}

/** Any failure as a problem: known refusals as they are, stores that are away as 503, the rest as 500 with an id. */
export function asProblem(
  error: unknown,
  built: Services | undefined,
  name: string,
  invocationId: string,
): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof StoreUnavailable || (error instanceof ToolError && error.class === 'transient')) {
    return new HttpProblem('STORE_UNAVAILABLE', 'A store does not answer at the moment; try again shortly.', {
      headers: { 'retry-after': '5' },
    });
  }
  if (error instanceof ToolError && isHttpCode(error.code)) return new HttpProblem(error.code, error.message);
  const message = error instanceof Error ? error.message : String(error);
  built?.log.requestFault(name, invocationId, message);
  if (error instanceof StateInvalid)
    return new HttpProblem('INTERNAL', `Stored data could not be read (STATE_INVALID). Reference: ${invocationId}`);
  return new HttpProblem('INTERNAL', `The request could not be served. Reference: ${invocationId}`);
}
