/** Hash chain of the audit log (design §6): each link covers the one before and the whole event. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { StateInvalid, type AuditEvent } from './port.ts';

/** RFC 8785 text of a value for the ledger; throws `StateInvalid` for what JSON cannot hold. */
export function canonicalText(value: unknown): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (error) {
    throw new StateInvalid('A value for the ledger is not JSON.', { cause: error });
  }
  if (text === undefined) throw new StateInvalid('A value for the ledger is not JSON.');
  return text;
}

/** Lower-case hex SHA-256 of `"audit.v1:"`, the previous hash (empty for the first link) and the event's RFC 8785 text. */
export function chainHash(previous: string, id: number, event: AuditEvent): string {
  const { seq, at, runId, type, nodeId, actor, data } = event;
  const text = canonicalText({ id, seq, at, runId, type, nodeId, actor, data });
  return createHash('sha256').update(`audit.v1:${previous}:${text}`).digest('hex');
}
