/** `Uploads`: bytes a person brought. A run keeps its own copy of the rows, as they were when it started. */
import { StateInvalid, type NewRun, type UploadRow } from '../port.ts';
import { parseUpload } from '../schemas.ts';
import { append, tenantStream } from './audit.ts';
import type { Sql } from './database.ts';
import { keepText, notePerson } from './texts.ts';

const COLUMNS = `Sha256 AS sha256, Tenant AS tenant, Owner AS owner, Bytes AS bytes, MediaType AS mediaType,
  BlobName AS blobName, CreatedAt AS createdAt,
  COALESCE((SELECT Text FROM Texts WHERE TextId = NameText), '') AS name`;

/** Uploading the same bytes again renames the upload for later runs; running ones keep the name they started with. */
export function saveUpload(sql: Sql, row: UploadRow): void {
  const textId = `upload:${row.tenant}:${row.owner}:${row.sha256}`;
  const text = { tenant: row.tenant, owner: row.owner, runId: null, now: row.createdAt };
  const nameDigest = keepText(sql, { ...text, textId, text: row.name });
  notePerson(sql, row.tenant, row.owner, row.createdAt);
  sql.run(
    `INSERT INTO Uploads VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (Tenant, Owner, Sha256) DO UPDATE SET MediaType = excluded.MediaType`,
    row.tenant,
    row.owner,
    row.sha256,
    row.bytes,
    row.mediaType,
    textId,
    row.blobName,
    row.createdAt,
  );
  append(sql, {
    runId: tenantStream(row.tenant),
    at: row.createdAt,
    type: 'upload.saved',
    nodeId: null,
    actor: row.owner,
    data: { sha256: row.sha256, bytes: row.bytes, mediaType: row.mediaType, nameDigest },
  });
}

export function getUpload(sql: Sql, tenant: string, owner: string, sha256: string): UploadRow | undefined {
  const own = sql.get(
    `SELECT ${COLUMNS} FROM Uploads WHERE Tenant = ? AND Owner = ? AND Sha256 = ?`,
    tenant,
    owner,
    sha256,
  );
  const row =
    own ??
    sql.get(
      `SELECT ${COLUMNS} FROM RunUploads WHERE Tenant = ? AND Sha256 = ? ORDER BY CreatedAt, RunId LIMIT 1`,
      tenant,
      sha256,
    );
  return row === undefined ? undefined : parseUpload(row);
}

/** Binds uploads to a new run; one that the requester cannot see is `StateInvalid`, and the run is not created. */
export function bindUploads(sql: Sql, run: NewRun): void {
  for (const sha256 of new Set(run.uploads)) {
    const upload = getUpload(sql, run.tenant, run.requester, sha256);
    if (upload === undefined) throw new StateInvalid(`Upload ${sha256} is not there for this run.`);
    const textId = `run:${run.runId}:upload:${sha256}`;
    const text = { tenant: run.tenant, owner: upload.owner, runId: run.runId, now: run.now };
    keepText(sql, { ...text, textId, text: upload.name });
    sql.run(
      'INSERT INTO RunUploads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      run.runId,
      sha256,
      upload.tenant,
      upload.owner,
      upload.bytes,
      upload.mediaType,
      textId,
      upload.blobName,
      upload.createdAt,
    );
  }
}

export function uploadOfRun(sql: Sql, runId: string, sha256: string): UploadRow | undefined {
  const row = sql.get(`SELECT ${COLUMNS} FROM RunUploads WHERE RunId = ? AND Sha256 = ?`, runId, sha256);
  return row === undefined ? undefined : parseUpload(row);
}
