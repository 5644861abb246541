/** One self-contained HTML file: styles, data and one script inside; nothing is loaded from anywhere. */
import { createHash } from 'node:crypto';
import { escapeXml } from './displayText.ts';
import type { MapData } from './mapData.ts';
import type { PageBundle } from './pageBundle.ts';

/** JSON that no HTML parser can leave: `<` and the two separators that are line ends in old scripts are escaped. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

const sha256Source = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/**
 * CSP source expressions (`'sha256-…'`) of the scripts in a page that would run, in document order. Data blocks do not
 * run and are left out. For the route that serves artifacts: `script-src ${scriptHashes(html).join(' ')}`.
 */
export function scriptHashes(html: string): string[] {
  // Our pages write an executable script as exactly `<script>`; data can't contain "<" (jsonForScript, escapeXml).
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => sha256Source(match[1] ?? ''));
}

/** Policy of a page with these scripts: no request to anywhere, one known script, inline styles, pictures inside. */
export function pagePolicy(hashes: readonly string[]): string {
  return `default-src 'none'; script-src ${hashes.join(' ')}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
}

/**
 * The interactive map. Data stands only in the JSON block and, escaped, in `<title>`; the script sets text nodes.
 * The policy is also written into the page, so that it holds when the file is opened from disk.
 */
export function renderHtml(data: MapData, page: PageBundle): string {
  if (/<\/script/i.test(page.script) || /<\/style/i.test(page.style)) {
    throw new Error('The page bundle would end its own element.');
  }
  const mark = data.synthetic ? `[${data.labels.synthetic}] ` : '';
  return `<!doctype html>
<html lang="${data.locale}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeXml(pagePolicy([sha256Source(page.script)]))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeXml(mark + data.title)}</title>
<style>${page.style}</style>
</head>
<body>
<noscript><p>${escapeXml(data.labels.noScript)}</p></noscript>
<div id="app"></div>
<script type="application/json" id="map-data">${jsonForScript(data)}</script>
<script>${page.script}</script>
</body>
</html>
`;
}
