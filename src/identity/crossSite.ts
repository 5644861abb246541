/** What a browser can be made to send by another page, and how we tell (design §6 "Principals"). */
import type { IncomingRequest, Refusal } from './result.ts';
import { csrf } from './result.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
export const isUnsafe = (method: string): boolean => !SAFE.has(method.toUpperCase());

/**
 * A cookie principal that changes something must show: own `Origin`, a content type no form can send, and a header no
 * other page may set. Missing counts as wrong.
 */
export function refuseForgery(request: IncomingRequest): Refusal | undefined {
  if (!isUnsafe(request.method)) return undefined;
  const url = URL.parse(request.url);
  const origin = request.headers.get('origin');
  if (url === null || origin === null || origin !== url.origin)
    return csrf('The Origin header must be that of this site.');
  if (request.headers.get('x-geoagent') !== '1') return csrf('The header X-GeoAgent: 1 is needed.');
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  const wanted = isUpload(url.pathname) ? 'application/octet-stream' : 'application/json';
  if (type !== wanted) return csrf(`The content type must be ${wanted}.`);
  return undefined;
}

const isUpload = (path: string): boolean => /^\/api\/uploads\/?$/.test(path);

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether `host` (a `Host` header) is this machine under our port: a rebound name is not. */
export function isOwnHost(host: string | null, port: number): boolean {
  if (host === null) return false;
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]@/\\?#]+)(?::(\d{1,5}))?$/i.exec(host);
  if (match === null) return false;
  return LOOPBACK_NAMES.has((match[1] ?? '').toLowerCase()) && Number(match[2] ?? 80) === port;
}

/** Whether the peer of the socket is this machine; unknown peers pass, the listener is bound to loopback anyway. */
export function isLoopbackPeer(address: string | undefined): boolean {
  if (address === undefined) return true;
  return address === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address);
}
