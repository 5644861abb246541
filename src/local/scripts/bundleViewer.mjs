/**
 * Bundles what runs in a browser: the script and styles of the map page (`map.js`, `map.css`, put inside each map by
 * gis.generateMap), and the viewer (`index.html`, one file). `npm run build` calls it; tests call the functions.
 */
import { build } from 'esbuild';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const viewer = join(root, 'src/viewer');

async function bundleScript(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'ascii', // so that the hash does not depend on how the file is decoded
    legalComments: 'inline',
    logLevel: 'warning',
    tsconfigRaw: { compilerOptions: { target: 'ES2022' } },
    alias: { leaflet: require.resolve('leaflet/dist/leaflet-src.esm.js') },
  });
  return guard(result.outputFiles[0].text, /<\/script|<!--|sourceMappingURL/i);
}

async function bundleStyle(files) {
  const css = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  // Leaflet's pictures (layer button, default marker) are not used; a url() would be a request.
  const offline = css
    .replaceAll(/background-image:\s*url\([^)]*\);?/g, '')
    .replaceAll(/behavior:\s*url\([^)]*\);?/g, '');
  const result = await build({
    stdin: { contents: offline, loader: 'css' },
    write: false,
    minify: true,
    charset: 'ascii',
    target: 'es2022',
    logLevel: 'warning',
  });
  return guard(result.outputFiles[0].text, /<\/style|url\(|@import/i);
}

function guard(text, forbidden) {
  const found = forbidden.exec(text);
  if (found) throw new Error(`The bundle holds "${found[0]}", which must not stand in a page.`);
  return text;
}

/** @returns {Promise<{ script: string, style: string }>} script and styles of the map page */
export async function bundleMapPage() {
  const [script, style] = await Promise.all([
    bundleScript(join(viewer, 'map/main.ts')),
    bundleStyle([require.resolve('leaflet/dist/leaflet.css'), join(viewer, 'map/map.css')]),
  ]);
  return { script, style };
}

/** @returns {Promise<string>} the viewer as one HTML file with one inline script */
export async function bundleViewerPage() {
  const [script, style, page] = await Promise.all([
    bundleScript(join(viewer, 'app/main.ts')),
    bundleStyle([join(viewer, 'app/app.css')]),
    readFile(join(viewer, 'app/index.html'), 'utf8'),
  ]);
  const parts = new Map([
    ['/* style */', style],
    ['/* script */', script],
  ]);
  return page.replace(/\/\* (?:style|script) \*\//g, (place) => parts.get(place) ?? place);
}

/** Writes everything into `out` (default `dist/viewer`). */
export async function bundleAll(out = join(root, 'dist/viewer')) {
  const [map, page] = await Promise.all([bundleMapPage(), bundleViewerPage()]);
  await mkdir(out, { recursive: true });
  await Promise.all([
    writeFile(join(out, 'map.js'), map.script),
    writeFile(join(out, 'map.css'), map.style),
    writeFile(join(out, 'index.html'), page),
    copyFile(require.resolve('world-atlas/countries-10m.json'), join(out, 'borders.json')),
  ]);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await bundleAll();
