import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../src/identity/authenticate.ts';
import { cloudSettings, incoming, NOW, TENANT } from '../../support/identity/requests.ts';

const SITE = 'https://geoagent.example.test';
const settings = cloudSettings('easyAuth');
const authenticate = createAuthenticator(settings);

const OID = 'http://schemas.microsoft.com/identity/claims/objectidentifier';
const TID = 'http://schemas.microsoft.com/identity/claims/tenantid';
const claim = (typ: string, val: string) => ({ typ, val });
const CLAIMS = [claim(OID, 'alice'), claim(TID, TENANT), claim('roles', 'requester'), claim('roles', 'root')];
const header = (claims: unknown = CLAIMS, more: object = {}) =>
  Buffer.from(JSON.stringify({ auth_typ: 'aad', name_typ: 'name', role_typ: 'roles', claims, ...more })).toString(
    'base64',
  );

const request = (headers: Record<string, string | null> = {}, more: { method?: string; path?: string } = {}) =>
  incoming({ origin: SITE, headers: { 'x-ms-client-principal': header(), ...headers }, ...more });
const OWN = { origin: SITE, 'content-type': 'application/json', 'x-geoagent': '1' };
const csrf = { ok: false, status: 403, code: 'CSRF' };

describe('Easy Auth', () => {
  it('is believed when the platform says that it is on', async () => {
    expect(await authenticate(request(), NOW)).toEqual({
      ok: true,
      principal: { tenant: TENANT, oid: 'alice', kind: 'person', roles: ['requester'], source: 'cookie' },
    });
  });

  it('is anybody’s word when the platform does not say so, or another mode is set', async () => {
    const off = { ...settings, auth: { ...settings.auth, easyAuthEnabled: false } };
    expect(await createAuthenticator(off)(request(), NOW)).toMatchObject({ ok: false, status: 401 });
    expect(await createAuthenticator(cloudSettings('entra'))(request(), NOW)).toMatchObject({ ok: false, status: 401 });
  });

  it.each([
    ['nothing', ''],
    ['no base64', '{{{'],
    ['no JSON', Buffer.from('hello').toString('base64')],
    ['another provider', header(CLAIMS, { auth_typ: 'google' })],
    ['no oid', header(CLAIMS.slice(1))],
    ['two oids', header([...CLAIMS, claim('oid', 'mallory')])],
    ['two tenants', header([...CLAIMS, claim('tid', 'other')])],
    ['an oid that is a path', header([claim(OID, '../alice'), claim(TID, TENANT)])],
    ['claims that are none', header('alice')],
    ['a flood', header(Array.from({ length: 1_001 }, () => claim('x', 'y')))],
    ['a megabyte', header([...CLAIMS, claim('x', 'y'.repeat(100_000))])],
  ])('refused: %s', async (_what, value) => {
    expect(await authenticate(request({ 'x-ms-client-principal': value }), NOW)).toMatchObject({
      ok: false,
      status: 401,
    });
  });

  it('refused: another tenant', async () => {
    const other = header([claim(OID, 'alice'), claim(TID, 'other')]);
    expect(await authenticate(request({ 'x-ms-client-principal': other }), NOW)).toMatchObject({
      ok: false,
      status: 403,
      code: 'FORBIDDEN',
    });
  });

  it('an application behind the cookie stays one', async () => {
    const app = header([...CLAIMS, claim('idtyp', 'app')]);
    expect(await authenticate(request({ 'x-ms-client-principal': app }), NOW)).toMatchObject({
      principal: { kind: 'application' },
    });
  });
});

describe('what another page can make a browser send', () => {
  it('our own page may change things', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await authenticate(request(OWN, { method }), NOW)).ok).toBe(true);
    }
  });

  it.each([
    ['no origin', { origin: null }],
    ['another origin', { origin: 'https://evil.test' }],
    ['the null origin', { origin: 'null' }],
    ['our name over http', { origin: 'http://geoagent.example.test' }],
    ['our name as a prefix', { origin: `${SITE}.evil.test` }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain; x=application/json' }],
    ['no type', { 'content-type': null }],
    ['no header of ours', { 'x-geoagent': null }],
    ['another value', { 'x-geoagent': '0' }],
    ['bytes where JSON belongs', { 'content-type': 'application/octet-stream' }],
  ])('CSRF: %s', async (_what, changes) => {
    expect(await authenticate(request({ ...OWN, ...changes }, { method: 'POST' }), NOW)).toMatchObject(csrf);
  });

  it('an upload is octets, and only an upload', async () => {
    const octets = { ...OWN, 'content-type': 'application/octet-stream' };
    const upload = { method: 'POST', path: '/api/uploads?name=a.csv' };
    expect((await authenticate(request(octets, upload), NOW)).ok).toBe(true);
    expect(await authenticate(request(OWN, upload), NOW)).toMatchObject(csrf);
    expect(
      await authenticate(request(octets, { method: 'POST', path: '/api/runs?x=/api/uploads' }), NOW),
    ).toMatchObject(csrf);
  });

  it('reading needs none of it, an unknown method does', async () => {
    expect((await authenticate(request({}, { method: 'get' }), NOW)).ok).toBe(true);
    expect(await authenticate(request({}, { method: 'PROPFIND' }), NOW)).toMatchObject(csrf);
  });
});
