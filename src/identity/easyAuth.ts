/**
 * `X-MS-CLIENT-PRINCIPAL`, set by the platform after a sign-in by cookie. It proves nothing unless the platform's
 * authentication is on: otherwise anybody can send it.
 */
import { z } from 'zod';
import { principalFrom } from './claims.ts';
import { forbidden, unauthenticated, type Authentication } from './result.ts';

const MAX_HEADER = 65_536;
const OID = ['oid', 'http://schemas.microsoft.com/identity/claims/objectidentifier'];
const TID = ['tid', 'http://schemas.microsoft.com/identity/claims/tenantid'];
const ROLE = ['roles', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role'];

const schema = z.object({
  auth_typ: z.literal('aad'),
  role_typ: z.string().optional(),
  claims: z.array(z.object({ typ: z.string(), val: z.string() })).max(1_000),
});

export function authenticateEasyAuth(header: string, tenants: readonly string[]): Authentication {
  const decoded = decode(header);
  if (decoded === undefined) return unauthenticated('The sign-in of the platform cannot be read.');
  const values = (types: readonly string[]): string[] => [
    ...new Set(decoded.claims.filter((claim) => types.includes(claim.typ)).map((claim) => claim.val)),
  ];
  const [oid, tid] = [values(OID), values(TID)];
  // Two answers to "who" are none.
  if (oid.length !== 1 || tid.length !== 1) return unauthenticated('The sign-in lacks one oid and one tid.');
  const roles = values(decoded.role_typ === undefined ? ROLE : [...ROLE, decoded.role_typ]);
  const idtyp = values(['idtyp'])[0];
  // A cookie belongs to a browser, so to a person, unless the token behind it says otherwise.
  const principal = principalFrom({ oid: oid[0], tid: tid[0], roles, idtyp }, 'cookie', 'always');
  if (principal === undefined) return unauthenticated('The sign-in lacks a usable oid or tid.');
  if (!tenants.includes(principal.tenant)) return forbidden('This tenant may not sign in here.');
  return { ok: true, principal };
}

function decode(header: string): z.infer<typeof schema> | undefined {
  if (header.length > MAX_HEADER) return undefined;
  try {
    return schema.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
