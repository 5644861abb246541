/** Bearer tokens: RS256, issuer, audience, expiry, required claims, tenant list (reference "Identity"). */
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { principalFrom } from './claims.ts';
import { forbidden, keysUnavailable, unauthenticated, type Authentication } from './result.ts';

export interface BearerRules {
  readonly issuer: string;
  readonly audience: string;
  /** Tenant ids that may sign in. */
  readonly tenants: readonly string[];
  readonly keys: JWTVerifyGetKey;
}

const CLOCK_TOLERANCE_S = 60;
const MAX_TOKEN = 16_384;

/** The token of an `Authorization: Bearer` header; `undefined` when there is no such header. */
export function bearerToken(header: string | null): string | undefined {
  const match = header === null ? null : /^Bearer +(\S+) *$/i.exec(header.slice(0, MAX_TOKEN + 16));
  return match?.[1];
}

/** `now` in milliseconds. Never throws for a bad token. */
export async function authenticateBearer(token: string, rules: BearerRules, now: number): Promise<Authentication> {
  if (token.length > MAX_TOKEN) return unauthenticated('The token is too long.');
  let claims: unknown;
  try {
    const { payload } = await jwtVerify(token, rules.keys, {
      issuer: rules.issuer,
      audience: rules.audience,
      algorithms: ['RS256'],
      requiredClaims: ['oid', 'tid', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(now),
    });
    claims = payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return unauthenticated('The token has expired.');
    // Not about the token: the key set did not come, or came with another status than 200.
    const generic = error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC';
    const keyTrouble = generic || error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError);
    return keyTrouble ? keysUnavailable() : unauthenticated('The token is not valid here.');
  }
  const principal = principalFrom(claims, 'bearer');
  if (principal === undefined) return unauthenticated('The token lacks a usable oid or tid.');
  if (!rules.tenants.includes(principal.tenant)) return forbidden('This tenant may not sign in here.');
  return { ok: true, principal };
}
