/** Claims of Entra and local tokens → `Principal`. */
import { z } from 'zod';
import { ROLES, type Principal, type Role } from './principal.ts';

/** Tenant and object ids become parts of storage names: see `src/artifacts/names.ts`. */
const id = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/);

const schema = z.object({
  oid: id,
  tid: id,
  roles: z.union([z.array(z.string()), z.string().transform((role) => [role])]).default([]),
  /** `app` for application tokens, when the optional claim is on. */
  idtyp: z.string().optional(),
  /** Delegated permissions: only tokens of a person have them. */
  scp: z.string().optional(),
});

/** Without `scp` there is no person in the token, whatever else it says; `undefined` when a claim is missing or odd. */
export function principalFrom(
  claims: unknown,
  source: Principal['source'],
  person: 'byScope' | 'always' = 'byScope',
): Principal | undefined {
  const parsed = schema.safeParse(claims);
  if (!parsed.success) return undefined;
  const { oid, tid, roles, idtyp, scp } = parsed.data;
  const isPerson = idtyp !== 'app' && (person === 'always' || (scp !== undefined && scp.trim() !== ''));
  return { tenant: tid, oid, kind: isPerson ? 'person' : 'application', roles: known(roles), source };
}

/** Ours only, in our order, each once. */
function known(roles: readonly string[]): Role[] {
  return ROLES.filter((role) => roles.includes(role));
}
