import type { Principal, Role } from '../identity/principal.ts';
import type { JsonValue } from '../plan/types.ts';
import { MAX_DEADLINE_SECONDS, type ValidationContext } from '../validation/context.ts';
import { DEFAULT_ALLOW, type Allow } from '../plan/warrant.ts';
import type { Services } from './services.ts';

const MAX_COST_CENTS = 10_000;
const SHA256 = /^[0-9a-f]{64}$/;
const MOST_UPLOADS = 200;

/** Digests that stand in `{upload: …}` anywhere in a JSON value; walks without recursion, whatever the depth. */
export function uploadsIn(value: JsonValue): readonly string[] {
  const found = new Set<string>();
  const stack: JsonValue[] = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next) && typeof next['upload'] === 'string' && SHA256.test(next['upload']))
      found.add(next['upload']);
    for (const child of Object.values(next)) stack.push(child);
  }
  return [...found].sort().slice(0, MOST_UPLOADS);
}

/** What the validator may know: catalog, rights, limits, and of the uploads named in the plan those the caller owns. */
export async function validationContext(
  services: Services,
  who: Pick<Principal, 'tenant' | 'oid' | 'kind'> & { readonly roles: readonly string[] },
  /** Everything in which an upload may be named. */
  named: JsonValue,
  allow: Allow = DEFAULT_ALLOW,
): Promise<ValidationContext> {
  const { settings, ledger, catalog } = services;
  const uploads = new Map<string, { readonly mediaType: string; readonly name: string }>();
  for (const sha256 of uploadsIn(named)) {
    const row = await ledger.getUpload(who.tenant, who.oid, sha256);
    if (row !== undefined) uploads.set(sha256, { mediaType: row.mediaType, name: row.name });
  }
  return {
    catalog,
    development: settings.development,
    allow,
    principal: {
      tenant: who.tenant,
      oid: who.oid,
      kind: who.kind,
      roles: who.roles as readonly Role[],
      source: 'bearer',
    },
    limits: {
      maxNodes: settings.maxNodes,
      maxParallelNodes: settings.maxParallelNodes,
      maxDeadlineSeconds: MAX_DEADLINE_SECONDS,
      maxCostCents: MAX_COST_CENTS,
    },
    uploads,
    connections: new Set(Object.keys(settings.connections)),
  };
}
