/** One self-contained HTML file: styles, data and one script inside; nothing is loaded from anywhere. */
import { escapeXml } from './displayText.ts';
import type { MapData } from './mapData.ts';
import type { PageBundle } from './pageBundle.ts';
import { pagePolicy, scriptHash } from './scriptHashes.ts';

/** JSON that no HTML parser can leave: `<` and the two separators that are line ends in old scripts are escaped. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
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
<meta http-equiv="Content-Security-Policy" content="${escapeXml(pagePolicy([scriptHash(page.script)]))}">
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
