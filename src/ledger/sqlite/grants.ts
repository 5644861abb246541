/** `Grants`: the roles that count at execution time (design §4 "Rights are read again"). */
import { canonicalText } from '../auditChain.ts';
import { parseRoles } from '../schemas.ts';
import { append, tenantStream } from './audit.ts';
import type { Sql } from './database.ts';

export function grantsOf(sql: Sql, tenant: string, oid: string): readonly string[] | undefined {
  const row = sql.get('SELECT Roles AS roles FROM Grants WHERE Tenant = ? AND Oid = ?', tenant, oid);
  return row === undefined ? undefined : parseRoles((row as { roles: unknown }).roles);
}

export function setGrants(
  sql: Sql,
  tenant: string,
  oid: string,
  roles: readonly string[],
  actor: string,
  now: number,
): void {
  const sorted = [...new Set(roles)].sort();
  sql.run(
    `INSERT INTO Grants VALUES (?, ?, ?, ?)
     ON CONFLICT (Tenant, Oid) DO UPDATE SET Roles = excluded.Roles, UpdatedAt = excluded.UpdatedAt`,
    tenant,
    oid,
    canonicalText(sorted),
    now,
  );
  append(sql, {
    runId: tenantStream(tenant),
    at: now,
    type: 'grants.set',
    nodeId: null,
    actor,
    data: { oid, roles: sorted },
  });
}
