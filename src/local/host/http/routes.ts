import type { RegisteredFunction } from '../core/loadApp.ts';
import { resolveText, type Settings } from '../config/settings.ts';
import type { HostLog } from '../engine/hostLog.ts';
import { matchTemplate, parseTemplate, type RouteTemplate } from './routeTemplate.ts';

export type AuthLevel = 'anonymous' | 'function' | 'admin';

export interface HttpRoute {
  readonly fn: RegisteredFunction;
  readonly template: RouteTemplate;
  /** Upper case. */
  readonly methods: ReadonlySet<string>;
  readonly authLevel: AuthLevel;
}

const METHODS = ['GET', 'POST'];

function authLevelOf(value: unknown): AuthLevel {
  const level = typeof value === 'string' ? value.toLowerCase() : 'anonymous';
  if (level === 'anonymous' || level === 'function' || level === 'admin') return level;
  throw new Error(`the authorisation level '${level}' is not supported`);
}

/**
 * Routes of the app in order of registration: the first match wins, nothing is sorted by specificity. A function with
 * a route that cannot be served is named in the log and left out, as in the real host.
 */
export function buildRoutes(
  functions: readonly RegisteredFunction[],
  prefix: string,
  settings: Settings,
  log: HostLog,
): HttpRoute[] {
  return functions.flatMap((fn) => {
    try {
      const { route, methods, authLevel } = fn.trigger as { route?: unknown; methods?: unknown; authLevel?: unknown };
      if (settings[`AzureWebJobs.${fn.name}.Disabled`]?.toLowerCase() === 'true') return [];
      const text = resolveText(typeof route === 'string' && route !== '' ? route : fn.name, settings).replace(
        /^\/+|\/+$/g,
        '',
      );
      if (/^(?:admin|runtime)(?:\/|$)/i.test(text)) throw new Error(`the route '${text}' is reserved for the host`);
      const names =
        Array.isArray(methods) && methods.length > 0 ? methods.map((m) => String(m).toUpperCase()) : METHODS;
      return [
        {
          fn,
          template: parseTemplate(prefix === '' ? text : `${prefix}/${text}`),
          methods: new Set(names),
          authLevel: authLevelOf(authLevel),
        },
      ];
    } catch (error) {
      log('error', `this function is not served: ${error instanceof Error ? error.message : String(error)}`, fn.name);
      return [];
    }
  });
}

export interface RouteMatch {
  readonly route: HttpRoute;
  readonly params: ReadonlyMap<string, string>;
}

/** The first route whose path and method match; a matching path with a wrong method is no match (404, not 405). */
export function findRoute(routes: readonly HttpRoute[], method: string, path: string): RouteMatch | undefined {
  for (const route of routes) {
    if (!route.methods.has(method.toUpperCase())) continue;
    const params = matchTemplate(route.template, path);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}
