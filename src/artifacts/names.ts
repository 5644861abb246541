/** The one place that makes names for the artifact store (design §6, O-17). */

/**
 * What a segment of a blob name may be: characters that no URL encodes and no service folds, no dot segment, no
 * trailing dot (Blob storage drops it).
 */
const SEGMENT = /^[A-Za-z0-9_-]{1,128}(?:\.[A-Za-z0-9_-]{1,128})*$/;
const SHA256 = /^[0-9a-f]{64}$/;
const MAX_SEGMENT = 128;

/** A name that could leave its folder or collide: always a mistake of the caller, never of a person. */
export class NameInvalid extends Error {
  override readonly name = 'NameInvalid';
}

function segment(what: string, value: string): string {
  if (value.length > MAX_SEGMENT || !SEGMENT.test(value)) {
    throw new NameInvalid(`The ${what} cannot be part of a storage name.`);
  }
  return value;
}

function digest(value: string): string {
  if (!SHA256.test(value)) throw new NameInvalid('The digest is not lower-case hex SHA-256.');
  return value;
}

/** `-1` (a node without `forEach`) is `all`; no item index spells that. */
function itemSegment(item: number): string {
  if (item === -1) return 'all';
  if (!Number.isSafeInteger(item) || item < 0) throw new NameInvalid('The item is not an index.');
  return String(item);
}

export interface OutputAddress {
  readonly tenant: string;
  readonly runId: string;
  readonly nodeId: string;
  /** Index of the `forEach` item, -1 without. */
  readonly item: number;
  readonly output: string;
}

/** `{tenant}/runs/{runId}/{nodeId}/{item}/{output}-{sha256}`. Throws `NameInvalid`. */
export function artifactBlobName(address: OutputAddress & { readonly sha256: string }): string {
  const tenant = segment('tenant', address.tenant);
  const run = segment('run id', address.runId);
  const node = segment('node id', address.nodeId);
  const output = segment('output', address.output);
  return `${tenant}/runs/${run}/${node}/${itemSegment(address.item)}/${output}-${digest(address.sha256)}`;
}

/** `{tenant}/uploads/{owner}/{sha256}`. Throws `NameInvalid`. */
export function uploadBlobName(upload: {
  readonly tenant: string;
  readonly owner: string;
  readonly sha256: string;
}): string {
  return `${segment('tenant', upload.tenant)}/uploads/${segment('owner', upload.owner)}/${digest(upload.sha256)}`;
}
