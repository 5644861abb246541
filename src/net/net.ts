/**
 * The only way out (design §6). A caller names a connection and a path, never an address; the address is judged when
 * the socket connects, after name resolution, so that no name can be pointed elsewhere in between.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request as send, type Dispatcher } from 'undici';
import { ToolError } from '../plan/errors.ts';
import { mayReach } from './address.ts';
import { discard, readBody } from './body.ts';
import { parseConnections, type Connection } from './connections.ts';
import { sanitize } from './sanitize.ts';

export interface NetRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** These can only lower the connection's. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface NetResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined by comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
}

export interface Net {
  /**
   * Sends one request to `path` (starting with `/`, query included) of a named connection and reads the whole answer.
   * Any status but a redirect is an answer. Throws `ToolError`: `EGRESS_DENIED` (denied: unknown connection, address,
   * redirect, media type, encoding), `RESULT_TOO_LARGE` (permanent), `TOOL_FAILED` (transient: no answer in time, connection
   * failed), or the reason of an aborted `signal`.
   */
  request(connectionName: string, path: string, init?: NetRequest): Promise<NetResponse>;
  /** Closes idle sockets. */
  close(): Promise<void>;
}

export interface NetOptions {
  /** `Settings.connections`. */
  readonly connections: Readonly<Record<string, unknown>>;
  /** Name resolution; tests point names elsewhere. */
  readonly lookup?: LookupFunction;
}

export const denied = (message: string): ToolError => new ToolError('EGRESS_DENIED', message, { class: 'denied' });

/** Headers that decide where a request goes, as whom, or how it is framed: never the caller's. */
const RESERVED =
  /^(?:host|authorization|cookie|connection|content-length|transfer-encoding|upgrade|te|expect|keep-alive|accept-encoding|forwarded|x-forwarded-.*|proxy-.*)$/i;

/** Throws `TypeError` for connections that are not valid. */
export function createNet(options: NetOptions): Net {
  const connections = parseConnections(options.connections);
  const agents = new Map<string, Agent>();

  function agentOf(connection: Connection): Agent {
    let agent = agents.get(connection.name);
    if (agent === undefined) {
      agent = new Agent({
        connect: {
          lookup: guardedLookup(connection, options.lookup ?? systemLookup),
          timeout: Math.min(10_000, connection.timeoutMs),
        },
        pipelining: 1,
        connections: 16,
      });
      agents.set(connection.name, agent);
    }
    return agent;
  }

  return {
    request: async (connectionName, path, init = {}) => {
      const connection = connections.get(connectionName);
      if (connection === undefined) throw denied(`There is no connection "${sanitize(connectionName, 'log', 64)}".`);
      const url = urlOf(connection, path);
      const timeoutMs = Math.min(connection.timeoutMs, init.timeoutMs ?? connection.timeoutMs);
      // One limit for everything, so that a server that drips bytes gains nothing.
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = init.signal === undefined ? timeout : AbortSignal.any([timeout, init.signal]);
      try {
        const response = await send(url, {
          dispatcher: agentOf(connection),
          method: init.method ?? 'GET',
          headers: headersOf(connection, init.headers ?? {}),
          body: init.body ?? null,
          signal,
        });
        return await judged(connection, response, Math.min(connection.maxBytes, init.maxBytes ?? connection.maxBytes));
      } catch (error) {
        if (init.signal?.aborted === true) throw init.signal.reason;
        if (timeout.aborted) throw failed(connection, `did not answer within ${timeoutMs} ms`);
        throw translated(connection, error);
      }
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

function urlOf(connection: Connection, path: string): URL {
  const url = path.startsWith('/') ? URL.parse(connection.origin + path) : null;
  // A literal address is never looked up: judge it here. `//host` and backslashes would leave the origin.
  if (url?.origin !== connection.origin || /^\/[/\\]/.test(path)) throw denied('The path leaves its connection.');
  if (url.username !== '' || url.password !== '') throw denied('The path leaves its connection.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayReach(host, connection.networks)) throw denied(notReachable(connection));
  url.hash = '';
  return url;
}

const notReachable = (connection: Connection): string =>
  `Connection "${connection.name}" leads to an address that it may not reach.`;

function headersOf(connection: Connection, given: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (RESERVED.test(name)) throw denied(`A caller may not set the header ${sanitize(name, 'log', 64)}.`);
    headers[name.toLowerCase()] = value;
  }
  headers['user-agent'] ??= 'GeoAgent';
  headers['accept-encoding'] = 'identity';
  if (connection.token !== undefined) headers['authorization'] = `Bearer ${connection.token}`;
  return headers;
}

/** Resolves as usual, then refuses the whole name when any of its addresses is off limits. */
function guardedLookup(connection: Connection, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const list = typeof addresses === 'string' ? [{ address: addresses, family: isIP(addresses) }] : addresses;
      const [first] = list;
      if (first === undefined || list.some(({ address }) => !mayReach(address, connection.networks))) {
        callback(denied(notReachable(connection)), '', 0);
      } else if (options.all === true) {
        callback(null, list);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

async function judged(
  connection: Connection,
  response: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<NetResponse> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
  }
  const refusal = refusalOf(connection, response.statusCode, headers);
  if (refusal !== undefined) {
    discard(response.body);
    throw refusal;
  }
  const bytes = await readBody(response.body, headers.get('content-length'), maxBytes);
  return { status: response.statusCode, headers, bytes };
}

function refusalOf(
  connection: Connection,
  status: number,
  headers: ReadonlyMap<string, string>,
): ToolError | undefined {
  const who = `Connection "${connection.name}"`;
  if (status >= 300 && status < 400 && status !== 304) return denied(`${who} answered with a redirect (${status}).`);
  const encoding = headers.get('content-encoding');
  if (encoding !== undefined && encoding !== 'identity')
    return denied(`${who} answered compressed, which was not asked for.`);
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (status < 300 && status !== 204 && connection.types.length > 0 && !connection.types.includes(type)) {
    return denied(`${who} answered with media type "${sanitize(type, 'log', 64)}".`);
  }
  return undefined;
}

function failed(connection: Connection, what: string): ToolError {
  return new ToolError('TOOL_FAILED', `Connection "${connection.name}" ${what}.`, { class: 'transient' });
}

/** What undici throws, without addresses or stack: those are ours alone. */
function translated(connection: Connection, error: unknown): unknown {
  if (error instanceof ToolError) return error;
  const causes = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  for (const cause of causes) {
    if (cause instanceof ToolError) return cause;
    if (cause instanceof Error && cause.cause instanceof ToolError) return cause.cause;
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return failed(connection, `could not be reached${code}`);
}
