/** `Artifacts`: one row per output of a completed operation. */
import { StateInvalid, type ArtifactRow, type OperationRow } from '../port.ts';
import { canonicalText } from '../auditChain.ts';
import { parseArtifact, parseBlobName } from '../schemas.ts';
import type { Sql } from './database.ts';

export const ARTIFACT_SELECT = `SELECT Id AS id, Tenant AS tenant, RunId AS runId, NodeId AS nodeId, Item AS item, Output AS output,
  Sha256 AS sha256, Bytes AS bytes, MediaType AS mediaType, FileName AS fileName, Type AS type, Labels AS labels,
  BlobName AS blobName, CreatedAt AS createdAt, Value AS value FROM Artifacts`;

/** Part of the completing transaction. Artifacts of another run, node or item are `StateInvalid`. */
export function insertArtifacts(sql: Sql, operation: OperationRow, tenant: string, rows: readonly ArtifactRow[]): void {
  for (const row of rows) {
    const belongs =
      row.runId === operation.runId &&
      row.nodeId === operation.nodeId &&
      row.item === operation.item &&
      row.tenant === tenant;
    if (!belongs) throw new StateInvalid(`Artifact ${row.id} does not belong to operation ${operation.operationKey}.`);
    sql.run(
      'INSERT INTO Artifacts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      row.id,
      operation.operationKey,
      row.tenant,
      row.runId,
      row.nodeId,
      row.item,
      row.output,
      row.sha256,
      row.bytes,
      row.mediaType,
      row.fileName,
      canonicalText(row.type),
      canonicalText(row.labels),
      row.blobName,
      row.createdAt,
      row.value,
    );
  }
}

export function artifactsOf(sql: Sql, runId: string, nodeId: string, item: number): ArtifactRow[] {
  const query = `${ARTIFACT_SELECT} WHERE RunId = ? AND NodeId = ? AND Item = ? ORDER BY Output`;
  return sql.all(query, runId, nodeId, item).map(parseArtifact);
}

/** Artifacts of whole nodes; those of single items are read node by node. */
export function artifactsOfRun(sql: Sql, runId: string): ArtifactRow[] {
  const query = `${ARTIFACT_SELECT} WHERE RunId = ? AND Item = -1 ORDER BY NodeId, Output`;
  return sql.all(query, runId).map(parseArtifact);
}

export function blobNamesOf(sql: Sql, runId: string): string[] {
  const rows = sql.all('SELECT BlobName AS blobName FROM Artifacts WHERE RunId = ? ORDER BY BlobName', runId);
  return rows.map(parseBlobName);
}

export function getArtifact(sql: Sql, runId: string, artifactId: string): ArtifactRow | undefined {
  const row = sql.get(`${ARTIFACT_SELECT} WHERE RunId = ? AND Id = ?`, runId, artifactId);
  return row === undefined ? undefined : parseArtifact(row);
}
