/** Headers under which bytes leave the app: nothing served can act in our origin (design §6). */
import { contentDisposition, markedFileName } from './fileNames.ts';

export interface ServedArtifact {
  readonly sha256: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly fileName: string;
  readonly labels: { readonly integrity: readonly string[] };
}

/** Kinds that a browser may show; all else, SVG and uploads above all, is downloaded. */
const INLINE = new Set(['text/html', 'image/png', 'application/json', 'application/geo+json']);
const SCRIPT_HASH = /^sha(256-[A-Za-z0-9+/]{43}=|384-[A-Za-z0-9+/]{64}|512-[A-Za-z0-9+/]{86}==)$/;

/** `Content-Security-Policy` of an artifact; `scriptHashes` (`sha256-…`) are those of scripts that we wrote into it. */
export function artifactCsp(scriptHashes: readonly string[]): string {
  for (const hash of scriptHashes) {
    if (!SCRIPT_HASH.test(hash)) throw new TypeError('A script hash for the policy is malformed.');
  }
  const sandbox = scriptHashes.length === 0 ? 'sandbox' : 'sandbox allow-scripts';
  const scripts = scriptHashes.length === 0 ? "'none'" : scriptHashes.map((hash) => `'${hash}'`).join(' ');
  return `${sandbox}; default-src 'none'; script-src ${scripts}; style-src 'unsafe-inline'; img-src data:`;
}

/**
 * Headers for the bytes of an artifact or (with `upload`) of something a person brought. `download` forces a
 * download. The caller answers 304 when `etagMatches`.
 */
export function artifactHeaders(
  artifact: ServedArtifact,
  options: { readonly scriptHashes?: readonly string[]; readonly upload?: boolean; readonly download?: boolean } = {},
): Readonly<Record<string, string>> {
  const kind = (artifact.mediaType.split(';')[0] ?? '').trim().toLowerCase();
  const upload = options.upload ?? false;
  const inline = INLINE.has(kind) && !upload && !(options.download ?? false);
  return {
    // An upload is never interpreted: its declared type is the uploader's word.
    'Content-Type': upload ? 'application/octet-stream' : artifact.mediaType,
    'Content-Length': String(artifact.bytes),
    'Content-Disposition': contentDisposition(
      inline ? 'inline' : 'attachment',
      markedFileName(artifact.fileName, artifact.labels),
    ),
    'Content-Security-Policy': artifactCsp(inline && kind === 'text/html' ? (options.scriptHashes ?? []) : []),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // The bytes never change, but the right to read them may: ask again each time.
    'Cache-Control': 'private, no-cache',
    ETag: `"${artifact.sha256}"`,
  };
}

/** Whether an `If-None-Match` header names these bytes (weak comparison, RFC 9110 §13.1.2). */
export function etagMatches(ifNoneMatch: string | null, sha256: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${sha256}"`);
}
