/** Signing keys of the issuer, fetched through `src/net` like everything else. */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { createNet, type Net } from '../net/net.ts';

/** Name of the connection; `net` must know it. */
export const KEYS_CONNECTION = 'identity';

const ownNet = (url: URL): Net =>
  createNet({ connections: { [KEYS_CONNECTION]: { origin: url.origin, timeoutMs: 5_000, maxBytes: 1_000_000 } } });

/**
 * Key set behind `url`, cached by `jose` (10 minutes; an unknown key id asks again at most every 30 s, so that
 * made-up ids cannot be used to flood the issuer).
 */
export function remoteKeys(url: URL, net: Net = ownNet(url)): JWTVerifyGetKey {
  return createRemoteJWKSet(url, {
    [customFetch]: async () => {
      const headers = { accept: 'application/json' };
      const { status, bytes } = await net.request(KEYS_CONNECTION, url.pathname + url.search, { headers });
      return new Response(Uint8Array.from(bytes), { status });
    },
  });
}
