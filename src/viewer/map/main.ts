/** Entry of the map page: reads the data block and builds the page from it. Runs in a sandbox without origin. */
import type { MapData } from '../../tools/gis/map/mapData.ts';
import { el } from './dom.ts';
import { createFacts, createLegend } from './legend.ts';
import { createMapView } from './mapView.ts';
import { classSymbol } from './symbol.ts';
import { createTable } from './table.ts';

function header(data: MapData): HTMLElement {
  const chips = data.classes.map((style) =>
    el('li', {}, classSymbol(style), el('strong', {}, String(style.count)), ` ${style.label}`),
  );
  return el(
    'header',
    {},
    data.synthetic
      ? el('p', { class: 'badge' }, el('strong', {}, data.labels.synthetic), ` ${data.labels.syntheticNote}`)
      : null,
    el('h1', { dir: 'auto' }, data.title),
    el('p', { class: 'headline' }, data.headline),
    el('ul', { class: 'chips' }, ...chips),
    el('p', { class: 'disclaimer' }, data.labels.disclaimer),
  );
}

function start(): void {
  const app = document.getElementById('app');
  const block = document.getElementById('map-data');
  if (!app || !block) throw new Error('The page is incomplete.');
  // The block is written by gis.generateMap of the same build; its shape is checked there.
  const data = JSON.parse(block.textContent) as MapData;
  const container = el('div', { class: 'map', role: 'region', 'aria-label': data.labels.mapLabel });
  app.append(header(data), el('main', {}, el('div', { class: 'stage' }, container, createFacts(data))));
  const view = createMapView(container, data);
  const zoomTo: typeof view.zoomTo = (asset) => {
    container.scrollIntoView({ block: 'nearest' });
    view.zoomTo(asset);
    container.focus({ preventScroll: true });
  };
  app.querySelector('main')?.append(el('aside', {}, createLegend(data, view)), createTable(data, zoomTo));
  document.documentElement.dataset['ready'] = 'true';
}

start();
