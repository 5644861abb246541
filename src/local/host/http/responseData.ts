import type { ServerResponse } from 'node:http';
import type { TypedData } from '../core/loadApp.ts';

interface RpcCookie {
  readonly name?: string;
  readonly value?: string;
  readonly domain?: unknown;
  readonly path?: unknown;
  readonly expires?: unknown;
  readonly secure?: unknown;
  readonly httpOnly?: unknown;
  readonly sameSite?: unknown;
  readonly maxAge?: unknown;
}
interface RpcHttp {
  readonly statusCode?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly RpcCookie[];
  readonly body?: TypedData;
}

/** Some fields come wrapped as `{value}`, timestamps as `{value: {seconds}}`. */
const unwrap = (field: unknown): unknown =>
  typeof field === 'object' && field !== null && 'value' in field ? field.value : field;

function cookieText(cookie: RpcCookie): string {
  const parts = [`${cookie.name ?? ''}=${encodeURIComponent(cookie.value ?? '')}`];
  const text = (label: string, field: unknown): void => {
    const value = unwrap(field);
    if (typeof value === 'string' || typeof value === 'number') parts.push(`${label}=${value}`);
  };
  text('Domain', cookie.domain);
  text('Path', cookie.path);
  const expires = unwrap(cookie.expires) as { seconds?: unknown } | undefined;
  if (expires?.seconds !== undefined) parts.push(`Expires=${new Date(Number(expires.seconds) * 1000).toUTCString()}`);
  text('Max-Age', cookie.maxAge);
  if (unwrap(cookie.secure) === true) parts.push('Secure');
  if (unwrap(cookie.httpOnly) === true) parts.push('HttpOnly');
  const sameSite = typeof cookie.sameSite === 'string' ? cookie.sameSite.toLowerCase() : '';
  const label = new Map([
    ['lax', 'Lax'],
    ['strict', 'Strict'],
    ['explicitnone', 'None'],
  ]).get(sameSite);
  if (label !== undefined) parts.push(`SameSite=${label}`);
  return parts.join('; ');
}

/** Statuses that are sent without a body. */
const BODYLESS = new Set([204, 205, 304]);

/** Writes a buffered answer of the library; a handler that returned nothing answers 204. */
export function writeResponse(response: ServerResponse, value: TypedData | null | undefined): void {
  const http = value?.http as RpcHttp | undefined;
  if (http === undefined) {
    response.writeHead(204).end();
    return;
  }
  const status = Number(http.statusCode ?? 200);
  response.statusCode = status;
  for (const [name, text] of Object.entries(http.headers ?? {})) response.setHeader(name, text);
  const cookies = (http.cookies ?? []).map(cookieText);
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  const body = http.body?.bytes ?? http.body?.string ?? http.body?.json;
  if (body === undefined || BODYLESS.has(status)) response.end();
  else response.end(body);
}
