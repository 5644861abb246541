import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../src/identity/authenticate.ts';
import { remoteKeys } from '../../../src/identity/remoteKeys.ts';
import { createNet, type Net } from '../../../src/net/net.ts';
import { AUDIENCE, cloudSettings, incoming, ISSUER, NOW, TENANT } from '../../support/identity/requests.ts';

let server: Server;
let net: Net;
let hits = 0;
let answer: { status: number; body: string };
let url: URL;
let privateKey: CryptoKey;

beforeEach(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  privateKey = pair.privateKey;
  answer = {
    status: 200,
    body: JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }] }),
  };
  hits = 0;
  server = createServer((_request, response) => {
    hits += 1;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys?v=2`);
  net = createNet({ connections: { identity: { origin: url.origin, networks: ['127.0.0.0/8'], timeoutMs: 1_000 } } });
});
afterEach(async () => {
  await net.close();
  server.closeAllConnections();
  server.close();
});

async function call(authenticate: ReturnType<typeof createAuthenticator>, kid = 'k1') {
  const claims = { oid: 'alice', tid: TENANT, scp: 'access', iss: ISSUER, aud: AUDIENCE, exp: NOW / 1_000 + 60 };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
  return authenticate(incoming({ headers: { authorization: `Bearer ${token}` } }), NOW);
}

describe('signing keys of the issuer', () => {
  it('are fetched once for many callers', async () => {
    const authenticate = createAuthenticator(cloudSettings('entra'), { keys: remoteKeys(url, net) });
    const results = await Promise.all(Array.from({ length: 20 }, () => call(authenticate)));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(hits).toBe(1);
  });

  it('made-up key ids do not flood the issuer', async () => {
    const authenticate = createAuthenticator(cloudSettings('entra'), { keys: remoteKeys(url, net) });
    for (let i = 0; i < 10; i += 1) {
      expect(await call(authenticate, `made-up-${i}`)).toMatchObject({ ok: false, status: 401 });
    }
    expect(hits).toBe(1);
  });

  it.each([
    ['the issuer fails', { status: 500, body: '' }],
    ['the issuer redirects', { status: 302, body: '' }],
    ['the issuer answers with a page', { status: 200, body: '<html>' }],
  ])('%s: nobody is judged, and the next call asks again', async (_what, bad) => {
    const authenticate = createAuthenticator(cloudSettings('entra'), { keys: remoteKeys(url, net) });
    const good = answer;
    answer = bad;
    expect(await call(authenticate)).toMatchObject({ ok: false, status: 503, code: 'STORE_UNAVAILABLE' });
    answer = good;
    expect((await call(authenticate)).ok).toBe(true);
  });

  it('a key set at a private address is not fetched unless a connection lists it', async () => {
    const https = new URL(url.href.replace('http:', 'https:'));
    const authenticate = createAuthenticator(cloudSettings('entra'), { keys: remoteKeys(https) });
    expect(await call(authenticate)).toMatchObject({ ok: false, status: 503 });
    expect(hits).toBe(0);
  });
});
