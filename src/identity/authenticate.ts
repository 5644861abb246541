/** Who calls (design §6 "Principals"). */
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import type { Settings } from '../config/settings.ts';
import { authenticateBearer, bearerToken, type BearerRules } from './bearer.ts';
import { refuseForgery } from './crossSite.ts';
import { DEVELOPER, refuseStranger } from './developer.ts';
import { authenticateEasyAuth } from './easyAuth.ts';
import { LOCAL_AUDIENCE, LOCAL_ISSUER, localPublicKeys } from './localKeys.ts';
import { remoteKeys } from './remoteKeys.ts';
import { unauthenticated, type Authentication, type IncomingRequest } from './result.ts';

/** Answers who calls at `now` (milliseconds); never throws for what a caller sent. */
export type Authenticate = (request: IncomingRequest, now: number) => Promise<Authentication>;

type IdentitySettings = Pick<Settings, 'auth' | 'development' | 'port' | 'stateDirectory'>;

export interface AuthenticatorOptions {
  /** Signing keys of the issuer; by default fetched from `jwksUrl` through `src/net`. */
  readonly keys?: JWTVerifyGetKey;
}

/** One per process: it caches signing keys. */
export function createAuthenticator(settings: IdentitySettings, options: AuthenticatorOptions = {}): Authenticate {
  switch (settings.auth.mode) {
    case 'local':
      return settings.development ? local(settings) : () => Promise.resolve(unauthenticated('Sign-in is not set up.'));
    case 'entra':
      return entra(settings, options);
    case 'easyAuth':
      return easyAuth(settings, options);
  }
}

function local(settings: IdentitySettings): Authenticate {
  let rules: Promise<BearerRules> | undefined;
  const load = async (): Promise<BearerRules> => ({
    issuer: LOCAL_ISSUER,
    audience: LOCAL_AUDIENCE,
    tenants: settings.auth.tenants,
    keys: createLocalJWKSet(await localPublicKeys(settings.stateDirectory)),
  });
  return async (request, now) => {
    const refusal = refuseStranger(request, settings.port);
    if (refusal !== undefined) return refusal;
    const header = request.headers.get('authorization');
    if (header === null) return { ok: true, principal: DEVELOPER };
    const token = bearerToken(header);
    // A token that cannot be read never falls back to the developer.
    if (token === undefined) return unauthenticated('Only bearer tokens are understood.');
    rules ??= load();
    return authenticateBearer(token, await rules, now);
  };
}

function bearerRules(settings: IdentitySettings, options: AuthenticatorOptions): BearerRules | undefined {
  const { issuer, audience, jwksUrl, tenants } = settings.auth;
  if (issuer === null || audience === null || jwksUrl === null) return undefined;
  return { issuer, audience, tenants, keys: options.keys ?? remoteKeys(new URL(jwksUrl)) };
}

function entra(settings: IdentitySettings, options: AuthenticatorOptions): Authenticate {
  const rules = bearerRules(settings, options);
  return async (request, now) => {
    const token = bearerToken(request.headers.get('authorization'));
    if (rules === undefined) return unauthenticated('Sign-in is not set up.');
    if (token === undefined) return unauthenticated('A bearer token is needed.');
    return authenticateBearer(token, rules, now);
  };
}

function easyAuth(settings: IdentitySettings, options: AuthenticatorOptions): Authenticate {
  const rules = bearerRules(settings, options);
  return async (request, now) => {
    // A token that we verify ourselves needs no cookie rules: no page can make a browser send it.
    const token = bearerToken(request.headers.get('authorization'));
    if (token !== undefined && rules !== undefined) return authenticateBearer(token, rules, now);
    const header = request.headers.get('x-ms-client-principal');
    if (!settings.auth.easyAuthEnabled || header === null) return unauthenticated('Sign-in is needed.');
    const result = authenticateEasyAuth(header, settings.auth.tenants);
    return result.ok ? (refuseForgery(request) ?? result) : result;
  };
}
