export const ROLES = ['requester', 'approver', 'operator', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/** Who calls. People are keyed by `tenant` + `oid`, never by name or mail. */
export interface Principal {
  readonly tenant: string;
  readonly oid: string;
  readonly kind: 'person' | 'application' | 'agent';
  readonly roles: readonly Role[];
  readonly source: 'bearer' | 'cookie' | 'development';
}
