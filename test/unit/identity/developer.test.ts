import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, type Authenticate } from '../../../src/identity/authenticate.ts';
import { KeyExposed, localPrivateKey, signLocalToken } from '../../../src/identity/localKeys.ts';
import { incoming, localSettings, NOW, PORT } from '../../support/identity/requests.ts';
import { temporaryFolder } from '../../support/ledger/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let authenticate: Authenticate;
beforeAll(async () => {
  folder = await temporaryFolder();
  authenticate = createAuthenticator(localSettings(folder.path));
});
afterAll(() => folder.dispose());

const token = (changes: Partial<Parameters<typeof signLocalToken>[1]> = {}, state = folder.path) =>
  signLocalToken(state, { oid: 'alice', tenant: 'local', roles: ['approver'], now: NOW, ...changes });
const withToken = async (text: string) => authenticate(incoming({ headers: { authorization: `Bearer ${text}` } }), NOW);

describe('development', () => {
  it.each(['http://localhost:7071', 'http://127.0.0.1:7071', 'http://[::1]:7071', 'http://LOCALHOST:7071'])(
    'a caller of %s without a token is the developer',
    async (origin) => {
      expect(await authenticate(incoming({ origin }), NOW)).toEqual({
        ok: true,
        principal: {
          tenant: 'local',
          oid: 'developer',
          kind: 'person',
          roles: ['requester', 'operator'],
          source: 'development',
        },
      });
    },
  );

  it.each([
    'evil.test',
    'evil.test:7071',
    'localhost',
    'localhost:7072',
    'localhost.evil.test:7071',
    '127.0.0.1.nip.io:7071',
    'x@localhost:7071',
    'localhost:07071x',
    '10.0.0.1:7071',
    '',
  ])('a rebound name is refused: Host %j', async (host) => {
    expect(await authenticate(incoming({ headers: { host } }), NOW)).toMatchObject({
      ok: false,
      status: 403,
      code: 'FORBIDDEN',
    });
  });

  it('no Host at all is refused', async () => {
    expect(await authenticate(incoming({ headers: { host: null } }), NOW)).toMatchObject({ ok: false, status: 403 });
  });

  it.each([
    'http://evil.test',
    'null',
    'https://localhost:7071',
    'http://localhost:3000',
    'http://localhost:7071.evil.test',
    'http://127.0.0.1:7071',
  ])('a page of another origin does not act as the developer: %s', async (origin) => {
    const request = incoming({ method: 'POST', headers: { origin } });
    expect(await authenticate(request, NOW)).toMatchObject({ ok: false, status: 403, code: 'CSRF' });
  });

  it('our own page does', async () => {
    const request = incoming({ method: 'POST', headers: { origin: `http://localhost:${PORT}` } });
    expect((await authenticate(request, NOW)).ok).toBe(true);
  });

  it.each([
    ['127.0.0.1', true],
    ['::ffff:127.0.0.1', true],
    ['::1', true],
    ['192.168.1.5', false],
    ['127.0.0.1.evil', false],
  ])('a peer at %s: %s', async (remoteAddress, ok) => {
    expect((await authenticate(incoming({ remoteAddress }), NOW)).ok).toBe(ok);
  });

  it('the same settings outside development let nobody in', async () => {
    const closed = createAuthenticator({ ...localSettings(folder.path), development: false });
    expect(await closed(incoming(), NOW)).toMatchObject({ ok: false, status: 401 });
  });
});

describe('local tokens', () => {
  it('name their person, or an application', async () => {
    expect(await withToken(await token())).toEqual({
      ok: true,
      principal: { tenant: 'local', oid: 'alice', kind: 'person', roles: ['approver'], source: 'bearer' },
    });
    expect(await withToken(await token({ application: true }))).toMatchObject({ principal: { kind: 'application' } });
  });

  it('a bad token never falls back to the developer', async () => {
    for (const text of ['x', await token({ now: NOW - 9 * 3_600_000 })]) {
      expect(await withToken(text)).toMatchObject({ ok: false, status: 401 });
    }
    expect(await authenticate(incoming({ headers: { authorization: 'Basic x' } }), NOW)).toMatchObject({
      ok: false,
      status: 401,
    });
  });

  it('one of another state folder is refused, one of another tenant too', async () => {
    const other = await temporaryFolder();
    expect(await withToken(await token({}, other.path))).toMatchObject({ ok: false, status: 401 });
    expect(await withToken(await token({ tenant: 'other' }))).toMatchObject({ ok: false, status: 403 });
    await other.dispose();
  });

  it('a good token does not excuse a rebound name', async () => {
    const request = incoming({ headers: { authorization: `Bearer ${await token()}`, host: 'evil.test:7071' } });
    expect(await authenticate(request, NOW)).toMatchObject({ ok: false, status: 403 });
  });

  it('the key is private, made once even by four at a time, and refused when others can read it', async () => {
    const fresh = await temporaryFolder();
    const state = join(fresh.path, 'state');
    const tokens = await Promise.all([1, 2, 3, 4].map(() => token({}, state)));
    expect(new Set(tokens).size).toBe(1);
    const path = join(state, 'token-key.pem');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    await expect(localPrivateKey(state)).rejects.toBeInstanceOf(KeyExposed);
    await fresh.dispose();
  });
});
