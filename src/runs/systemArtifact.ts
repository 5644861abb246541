import { artifactBlobName } from '../artifacts/names.ts';
import type { Labels } from '../catalog/tool.ts';
import type { ArtifactRow, RunRow } from '../ledger/port.ts';
import { ToolError } from '../plan/errors.ts';
import { artifactId, operationKey } from '../plan/operationKey.ts';
import { sha256Hex } from '../plan/sha256.ts';
import { reserveWhenFree } from './owner.ts';
import type { Services } from './services.ts';

/** Pseudo nodes of the run itself; no plan can use these ids (they start with `$`). */
export const SYSTEM_NODES = { planner: '$planner', verify: '$verify' } as const;

const OWNER_MS = 3_000;

/** JSON up to this size also stands in the ledger row. */
export const SMALL_BYTES = 2 * 1024;

export interface SystemArtifact {
  /** What was stored first, if anything. */
  read(): Promise<{ readonly row: ArtifactRow; readonly text: string } | undefined>;
  /** Stores once; a later write changes nothing and answers what stands. */
  write(text: string): Promise<ArtifactRow>;
}

/** A JSON artifact that a step of the run itself leaves behind (proposal, report), as one completed operation. */
export function systemArtifact(
  services: Services,
  run: RunRow,
  nodeId: string,
  output: string,
  labels?: Labels,
): SystemArtifact {
  const { ledger, store } = services;
  const key = operationKey({ tenant: run.tenant, runId: run.runId, revision: 0, nodeId, item: -1, action: 'do' });
  const stored = async (): Promise<ArtifactRow | undefined> =>
    (await ledger.artifactsOf(run.runId, nodeId, -1)).find((artifact) => artifact.output === output);

  return {
    async read() {
      const row = await stored();
      if (row === undefined) return undefined;
      const bytes = await store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes });
      return { row, text: new TextDecoder().decode(bytes) };
    },
    async write(text) {
      const bytes = new TextEncoder().encode(text);
      const sha256 = sha256Hex(bytes);
      const row: ArtifactRow = {
        id: artifactId(run.runId, nodeId, -1, output),
        tenant: run.tenant,
        runId: run.runId,
        nodeId,
        item: -1,
        output,
        sha256,
        bytes: bytes.byteLength,
        mediaType: 'application/json',
        fileName: `${output}.json`,
        type: { kind: 'json', schema: null },
        labels: labels ?? { integrity: [], confidentiality: 'internal', licences: [] },
        // `$` has no place in a storage name; no node id of a plan starts with `_`.
        blobName: artifactBlobName({
          tenant: run.tenant,
          runId: run.runId,
          nodeId: nodeId.replace('$', '_'),
          item: -1,
          output,
          sha256,
        }),
        value: bytes.byteLength <= SMALL_BYTES ? text : null,
        createdAt: services.now(),
      };
      const reserved = await reserveWhenFree(
        ledger,
        {
          operationKey: key,
          runId: run.runId,
          nodeId,
          item: -1,
          planDigest: run.planDigest ?? sha256Hex('plan.none'),
          argsDigest: sha256Hex(`system.v1:${nodeId}`),
          tool: nodeId,
          effect: 'none',
          attempt: 1,
          ownerMs: OWNER_MS,
          by: run.instanceId,
          system: true,
          decisions: [],
        },
        { now: () => services.now(), patienceMs: OWNER_MS * 3 },
      );
      if (reserved.outcome === 'stopped' || reserved.outcome === 'held')
        throw new ToolError('CANCELLED', 'The run was stopped.');
      if (reserved.outcome === 'reserved') {
        await store.put(row.blobName, bytes, row.mediaType, sha256);
        await ledger.complete(key, reserved.fencingToken, {
          artifacts: [row],
          resultDigest: sha256,
          checks: [],
          now: services.now(),
        });
      }
      const result = await stored();
      if (result === undefined)
        throw new ToolError('STATE_INVALID', `${nodeId} left no artifact`, { class: 'unexpected' });
      return result;
    },
  };
}

/** The plan a planner proposed for this run. */
export function planProposals(services: Services, run: RunRow): SystemArtifact {
  return systemArtifact(services, run, SYSTEM_NODES.planner, 'proposal');
}
