import { readFile } from 'node:fs/promises';

/** Script (Leaflet included) and styles of the map page, ready to stand inside an HTML file. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
}

let loaded: Promise<PageBundle> | undefined;

async function load(): Promise<PageBundle> {
  if (import.meta.url.endsWith('.ts')) {
    // From the sources (tests, development) there is no build output: bundle now, as the build does.
    const bundler = new URL('../../../local/scripts/bundleViewer.mjs', import.meta.url).href;
    const { bundleMapPage } = (await import(bundler)) as { bundleMapPage: () => Promise<PageBundle> };
    return bundleMapPage();
  }
  const [script, style] = await Promise.all(
    ['map.js', 'map.css'].map((name) => readFile(new URL(`../../../viewer/${name}`, import.meta.url), 'utf8')),
  );
  return { script: script ?? '', style: style ?? '' };
}

/** The page bundle; read once a process. Rejects when the build output is missing. */
export function pageBundle(): Promise<PageBundle> {
  loaded ??= load();
  return loaded;
}
