import { createHash } from 'node:crypto';

/** CSP hash of a script text, without quotes: `sha256-…` (CSP Level 3 §2.3.1). */
export const scriptHash = (script: string): string => `sha256-${createHash('sha256').update(script).digest('base64')}`;

/**
 * CSP hashes (`sha256-…`, without quotes) of the scripts in one of our pages that would run, in document order. Data
 * blocks do not run and are left out. For the routes that serve maps and the viewer.
 */
export function scriptHashes(html: string): string[] {
  // Our pages write an executable script as exactly `<script>`; data can't contain "<" (jsonForScript, escapeXml).
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => scriptHash(match[1] ?? ''));
}

/** Policy of a page with these scripts: no request to anywhere, known scripts only, inline styles, pictures inside. */
export function pagePolicy(hashes: readonly string[]): string {
  const scripts = hashes.map((hash) => `'${hash}'`).join(' ');
  return `default-src 'none'; script-src ${scripts}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
}
