import {
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWTPayload,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, type Authenticate } from '../../../src/identity/authenticate.ts';
import { AUDIENCE, cloudSettings, incoming, ISSUER, NOW, TENANT } from '../../support/identity/requests.ts';

let authenticate: Authenticate;
let sign: (
  claims?: JWTPayload,
  changes?: { alg?: string; kid?: string; key?: CryptoKey | Uint8Array },
) => Promise<string>;

const seconds = Math.floor(NOW / 1_000);
const claims = {
  oid: 'alice',
  tid: TENANT,
  scp: 'access',
  roles: ['approver', 'requester', 'root'],
  iss: ISSUER,
  aud: AUDIENCE,
  exp: seconds + 600,
};

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256' }] });
  authenticate = createAuthenticator(cloudSettings('entra'), { keys });
  sign = (given = claims, { alg = 'RS256', kid = 'k1', key = privateKey } = {}) =>
    new SignJWT(given).setProtectedHeader({ alg, kid }).sign(key);
});

const withToken = (token: string) => authenticate(incoming({ headers: { authorization: `Bearer ${token}` } }), NOW);

describe('bearer tokens', () => {
  it('a good one is its person, with our roles alone', async () => {
    expect(await withToken(await sign())).toEqual({
      ok: true,
      principal: { tenant: TENANT, oid: 'alice', kind: 'person', roles: ['requester', 'approver'], source: 'bearer' },
    });
  });

  it.each([
    ['no scope', { scp: undefined }],
    ['an empty scope', { scp: ' ' }],
    ['idtyp app', { idtyp: 'app' }],
  ])('%s makes it an application', async (_what, changes) => {
    expect(await withToken(await sign({ ...claims, ...changes }))).toMatchObject({
      ok: true,
      principal: { kind: 'application' },
    });
  });

  it.each([
    ['another audience', { aud: 'api://other' }],
    ['another issuer', { iss: 'https://evil.test' }],
    ['expired', { exp: seconds - 61 }],
    ['no expiry', { exp: undefined }],
    ['no oid', { oid: undefined }],
    ['no tid', { tid: undefined }],
    ['not yet valid', { nbf: seconds + 61 }],
    ['an oid that is a path', { oid: '../alice' }],
    ['an oid that is no text', { oid: 7 }],
    ['a tid with a slash', { tid: `${TENANT}/x` }],
  ])('refused: %s', async (_what, changes) => {
    const result = await withToken(await sign({ ...claims, ...changes } as JWTPayload));
    expect(result).toMatchObject({ ok: false, status: 401, code: 'UNAUTHENTICATED' });
  });

  it('a clock may be a minute off, not more', async () => {
    expect((await withToken(await sign({ ...claims, exp: seconds - 59 }))).ok).toBe(true);
  });

  it('refused: another tenant, as 403', async () => {
    const result = await withToken(await sign({ ...claims, tid: 'other' }));
    expect(result).toMatchObject({ ok: false, status: 403, code: 'FORBIDDEN' });
  });

  it('refused: alg none, HS256 with what is public, PS256, another key, an unknown key id, a flipped byte', async () => {
    const other = await generateKeyPair('RS256');
    const ps = await generateKeyPair('PS256');
    const good = await sign();
    const [head, body = '', signature] = good.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, roles: ['operator'] })).toString('base64url');
    const tokens = [
      new UnsecuredJWT(claims).encode(),
      await sign(claims, { alg: 'HS256', key: new TextEncoder().encode('k'.repeat(32)) }),
      await sign(claims, { alg: 'PS256', key: ps.privateKey }),
      await sign(claims, { key: other.privateKey }),
      await sign(claims, { kid: 'k2' }),
      [head, forged, signature].join('.'),
      [head, body].join('.'),
      'x',
      '.'.repeat(100_000),
    ];
    for (const token of tokens) expect(await withToken(token)).toMatchObject({ ok: false, status: 401 });
  });

  it.each([null, 'Basic YTpi', 'Bearer', 'Bearer ', 'Bearer a b', 'bearerx y'])(
    'no token in %j',
    async (authorization) => {
      const result = await authenticate(incoming({ headers: { authorization } }), NOW);
      expect(result).toMatchObject({ ok: false, status: 401, detail: 'A bearer token is needed.' });
    },
  );

  it('keys that cannot be had are no verdict about the caller', async () => {
    const failures = [new errors.JWKSTimeout(), new errors.JOSEError('Expected 200 OK'), new TypeError('network')];
    for (const failure of failures) {
      const broken = createAuthenticator(cloudSettings('entra'), { keys: () => Promise.reject(failure) });
      const request = incoming({ headers: { authorization: `Bearer ${await sign()}` } });
      expect(await broken(request, NOW)).toMatchObject({ ok: false, status: 503, code: 'STORE_UNAVAILABLE' });
    }
  });

  it('no refusal says what was in the token', async () => {
    const result = await withToken(await sign({ ...claims, aud: 'canary', tid: 'canary', oid: 'canary' }));
    expect(JSON.stringify(result)).not.toContain('canary');
  });
});
