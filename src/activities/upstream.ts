import type { Labels, ToolInput } from '../catalog/tool.ts';
import type { ArtifactRow, RunRow } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';
import { sha256Hex } from '../plan/sha256.ts';
import type { JsonValue } from '../plan/types.ts';
import type { Services } from '../runs/services.ts';

/** Bytes of an artifact: from the row itself when it is small, otherwise from the store; checked against its digest. */
export async function artifactBytes(services: Services, row: ArtifactRow): Promise<Uint8Array> {
  if (row.value === null) return services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes });
  const bytes = new TextEncoder().encode(row.value);
  if (bytes.byteLength !== row.bytes || sha256Hex(bytes) !== row.sha256)
    throw new ToolError('ARTIFACT_CORRUPT', `The stored value of ${row.id} does not match its checksum.`);
  return bytes;
}

export function parseBytes(bytes: Uint8Array, what: string): JsonValue {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue;
  } catch {
    throw new ToolError('STATE_INVALID', `${what} is not JSON.`, { class: 'unexpected' });
  }
}

/**
 * Completed results of one run, as its ledger rows describe them. Only `complete` writes artifact rows, so that one is
 * there means that its operation has completed (I5). Item -1 is the node as a whole.
 */
export class Upstream {
  readonly #services: Services;
  readonly #run: RunRow;
  readonly #rows = new Map<string, Promise<readonly ArtifactRow[]>>();

  constructor(services: Services, run: RunRow) {
    this.#services = services;
    this.#run = run;
  }

  async find(nodeId: string, item: number, output: string): Promise<ArtifactRow | undefined> {
    return (await this.rows(nodeId, item)).find((row) => row.output === output);
  }

  async input(row: ArtifactRow): Promise<ToolInput> {
    return {
      bytes: await artifactBytes(this.#services, row),
      mediaType: row.mediaType,
      type: row.type,
      sha256: row.sha256,
      labels: row.labels,
      name: row.fileName,
    };
  }

  async value(row: ArtifactRow): Promise<JsonValue> {
    return parseBytes(await artifactBytes(this.#services, row), `${row.nodeId}.${row.output}`);
  }

  async labelsOf(nodeId: string, item: number): Promise<readonly Labels[]> {
    return (await this.rows(nodeId, item)).map((row) => row.labels);
  }

  rows(nodeId: string, item: number): Promise<readonly ArtifactRow[]> {
    const key = `${nodeId}[${String(item)}]`;
    let rows = this.#rows.get(key);
    if (rows === undefined) {
      rows = this.#services.ledger.artifactsOf(this.#run.runId, nodeId, item);
      this.#rows.set(key, rows);
    }
    return rows;
  }
}
