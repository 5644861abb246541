/** Development only: a caller without a token is `developer`, if it sits on this machine and no other site sent it. */
import { isLoopbackPeer, isOwnHost } from './crossSite.ts';
import type { Principal } from './principal.ts';
import { csrf, forbidden, type Authentication, type IncomingRequest } from './result.ts';

export const DEVELOPER: Principal = {
  tenant: 'local',
  oid: 'developer',
  kind: 'person',
  roles: ['requester', 'operator'],
  source: 'development',
};

/** `port` is the one we listen on. Bearer callers pass the same door in development, so it is exported apart. */
export function refuseStranger(
  request: IncomingRequest,
  port: number,
): Extract<Authentication, { ok: false }> | undefined {
  if (!isLoopbackPeer(request.remoteAddress)) return forbidden('In development only this machine may call.');
  const host = request.headers.get('host');
  if (!isOwnHost(host, port)) return forbidden('The Host header is not ours.');
  const origin = request.headers.get('origin');
  if (origin !== null && origin.toLowerCase() !== `http://${(host ?? '').toLowerCase()}`) {
    return csrf('Another site may not act as the developer.');
  }
  return undefined;
}
