/** The Leaflet map: surface, borders, graticule, assets by class, gauges, scale, north, watermark. */
import * as L from 'leaflet';
import { drawOrder, middleOf, needsSymbol } from '../../tools/gis/map/drawOrder.ts';
import { fill } from '../../tools/gis/map/fill.ts';
import type { MapAsset, MapData } from '../../tools/gis/map/mapData.ts';
import type { Box } from '../../tools/gis/map/mercator.ts';
import { formatNumber } from '../../tools/gis/map/numbers.ts';
import { assetDetails } from './assetText.ts';
import { el, svg } from './dom.ts';
import { GaugeLabels } from './gaugeLabels.ts';
import { Graticule } from './graticule.ts';
import { ClassBrush, gaugeMarker } from './shapes.ts';

export interface MapView {
  /** Centres an asset and opens its popup. */
  zoomTo(asset: MapAsset): void;
  showClass(index: number, on: boolean): void;
  showLayer(name: 'surface' | 'gauges' | 'borders' | 'graticule', on: boolean): void;
}

const bounds = (box: Box): L.LatLngBounds => L.latLngBounds([box[1], box[0]], [box[3], box[2]]);

function addSurface(map: L.Map, data: MapData): L.Layer | null {
  if (!data.surface) return null;
  map.createPane('surface').style.zIndex = '250';
  const overlay = L.imageOverlay(data.surface.url, bounds(data.surface.box), {
    pane: 'surface',
    alt: data.labels.surface,
    className: 'surface',
  });
  return overlay.addTo(map);
}

function addBorders(map: L.Map, data: MapData, renderer: L.Renderer): L.Layer {
  const lines = data.borders.map((line) => line.map(([lon, lat]): L.LatLngTuple => [lat, lon]));
  const style = { color: '#555f6d', weight: 1.1, interactive: false, renderer };
  return L.polyline(lines, style).addTo(map);
}

function northArrow(label: string, text: string): L.Control {
  const arrow = svg(
    'svg',
    { viewBox: '0 0 30 44', width: '30', height: '44', role: 'img', 'aria-label': text },
    svg('path', { d: 'M15,16 L23,40 L15,34 Z', fill: '#fff', stroke: '#111' }),
    svg('path', { d: 'M15,16 L7,40 L15,34 Z', fill: '#111', stroke: '#111' }),
    svg(
      'text',
      { x: '15', y: '12', 'text-anchor': 'middle', 'font-size': '13', 'font-weight': '700' },
      document.createTextNode(label),
    ),
  );
  const control = new L.Control({ position: 'topright' });
  control.onAdd = () => el('div', { class: 'north' }, arrow);
  return control;
}

function wholeMapButton(map: L.Map, text: string, home: L.LatLngBounds): L.Control {
  const control = new L.Control({ position: 'topleft' });
  control.onAdd = () => {
    const button = el('button', { type: 'button', class: 'home', title: text, 'aria-label': text }, '⌂');
    button.addEventListener('click', () => map.fitBounds(home));
    L.DomEvent.disableClickPropagation(button);
    return button;
  };
  return control;
}

function watermark(container: HTMLElement, text: string): void {
  const marks = Array.from({ length: 12 }, () => el('span', {}, text));
  container.append(el('div', { class: 'watermark', 'aria-hidden': 'true' }, ...marks));
}

function addGauges(map: L.Map, data: MapData): { group: L.LayerGroup; labels: GaugeLabels | null } {
  const group = L.layerGroup().addTo(map);
  for (const gauge of data.gauges) {
    const value = `${formatNumber(gauge.mm, 1, data.locale)} mm`;
    const lines = [el('strong', { dir: 'auto' }, gauge.name), el('div', {}, `${data.labels.gauge}: ${value}`)];
    if (gauge.flags.length > 0) lines.push(el('div', {}, `${data.labels.flags}: ${gauge.flags.join(', ')}`));
    gaugeMarker([gauge.lat, gauge.lon])
      .bindTooltip(el('div', {}, ...lines))
      .addTo(group);
  }
  const digits = data.gauges.every((one) => one.mm >= 100) ? 0 : 1;
  const labels =
    data.gauges.length > 0 ? new GaugeLabels(map, data.gauges, (mm) => formatNumber(mm, digits, data.locale)) : null;
  return { group, labels };
}

/** Builds the map inside `container` and returns what the legend and the table steer. */
export function createMapView(container: HTMLElement, data: MapData): MapView {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(container, {
    attributionControl: false,
    zoomControl: false,
    zoomSnap: 0.25,
    zoomDelta: 1,
    maxZoom: 19,
    minZoom: 1,
    preferCanvas: true,
    zoomAnimation: !still,
    fadeAnimation: !still,
  });
  const home = bounds(data.box);
  map.fitBounds(home, { animate: false });
  L.control
    .zoom({ position: 'topleft', zoomInTitle: data.labels.zoomIn, zoomOutTitle: data.labels.zoomOut })
    .addTo(map);
  wholeMapButton(map, data.labels.wholeMap, home).addTo(map);
  L.control.scale({ metric: true, imperial: false, maxWidth: 140, position: 'bottomleft' }).addTo(map);
  northArrow(data.labels.north, data.labels.northLabel).addTo(map);

  const surface = addSurface(map, data);
  const base = map.createPane('base');
  base.style.zIndex = '300';
  base.style.pointerEvents = 'none';
  const baseRenderer = L.canvas({ pane: 'base' });
  const borders = addBorders(map, data, baseRenderer);
  const graticule = new Graticule(map, data.locale, baseRenderer);
  const gauges = addGauges(map, data);
  const { groups, layers } = addAssets(map, data);
  if (data.synthetic) watermark(container, data.labels.synthetic);
  keepHome(map, container, home);

  const toggle = (layer: L.Layer | null | undefined, on: boolean): void => {
    if (layer && on) map.addLayer(layer);
    else if (layer) map.removeLayer(layer);
  };
  return {
    zoomTo(asset) {
      if (!asset.box) return;
      toggle(groups[asset.classIndex], true);
      map.fitBounds(bounds(asset.box), { maxZoom: Math.max(map.getBoundsZoom(home) + 3, 11), animate: !still });
      layers.get(asset.index)?.openPopup();
    },
    showClass: (index, on) => toggle(groups[index], on),
    showLayer(name, on) {
      if (name === 'surface') toggle(surface, on);
      if (name === 'borders') toggle(borders, on);
      if (name === 'graticule') graticule.show(on);
      if (name === 'gauges') {
        toggle(gauges.group, on);
        gauges.labels?.show(on);
      }
    },
  };
}

/** Fits the whole map again while its place is still changing (a frame starts without size), until somebody moves it. */
function keepHome(map: L.Map, container: HTMLElement, home: L.LatLngBounds): void {
  let touched = false;
  for (const event of ['pointerdown', 'wheel', 'keydown', 'focusin'] as const) {
    container.addEventListener(event, () => (touched = true), { passive: true, once: true });
  }
  new ResizeObserver(() => {
    map.invalidateSize({ animate: false });
    if (!touched) map.fitBounds(home, { animate: false });
  }).observe(container);
}

function addAssets(map: L.Map, data: MapData): { groups: L.LayerGroup[]; layers: Map<number, L.Layer> } {
  const radius = data.assets.length > 800 ? 5 : data.assets.length > 200 ? 6.5 : 8;
  const groups = data.classes.map(() => L.layerGroup());
  const brushes = data.classes.map((style) => new ClassBrush(style, radius));
  const layers = new Map<number, L.Layer>();
  const order = drawOrder(data.assets, data.box);
  for (const asset of order) {
    const [group, brush] = [groups[asset.classIndex], brushes[asset.classIndex]];
    if (!group || !brush || !asset.geometry) continue;
    const shapes = brush.layers(asset.geometry);
    if (asset.box && needsSymbol(asset, data.box)) shapes.push(brush.symbol(middleOf(asset.box)));
    for (const layer of shapes) {
      layer.bindPopup(() => assetDetails(asset, data), { maxWidth: 280 });
      layer.bindTooltip(() => el('span', { dir: 'auto' }, asset.name), { sticky: true });
      layer.addTo(group);
      layers.set(asset.index, layer);
    }
  }
  for (const group of [...groups].reverse()) group.addTo(map);
  map.getContainer().setAttribute('aria-label', fill(data.labels.mapLabel, {}));
  return { groups, layers };
}
