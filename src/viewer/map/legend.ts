/** Legend (with the switches of the layers) and the facts about the map. */
import { fill } from '../../tools/gis/map/fill.ts';
import type { MapData, MapSurface } from '../../tools/gis/map/mapData.ts';
import { formatNumber } from '../../tools/gis/map/numbers.ts';
import { el } from './dom.ts';
import type { MapView } from './mapView.ts';
import { classSymbol, gaugeSymbol, lineSample } from './symbol.ts';

function toggle(label: readonly (Node | string)[], change: (on: boolean) => void): HTMLElement {
  const box = el('input', { type: 'checkbox' });
  box.checked = true;
  box.addEventListener('change', () => change(box.checked));
  return el('label', {}, box, ...label);
}

function classList(data: MapData, view: MapView): HTMLElement {
  const hasLines = data.assets.some((one) => one.geometry !== null && !one.geometry.type.endsWith('Point'));
  const items = data.classes.map((style, index) => {
    const samples = hasLines ? [classSymbol(style), lineSample(style)] : [classSymbol(style)];
    const text = el('span', { class: 'name' }, style.label);
    const count = el('span', { class: 'count' }, String(style.count));
    return el(
      'li',
      {},
      toggle([...samples, text, count], (on) => view.showClass(index, on)),
    );
  });
  const title = data.mode === 'exposure' ? data.labels.classesExposure : data.labels.classesScreening;
  return el('div', {}, el('h3', {}, title), el('ul', { class: 'classes' }, ...items));
}

function rampList(surface: MapSurface, data: MapData): HTMLElement {
  const width = (surface.ramp[0]?.to ?? 1) - (surface.ramp[0]?.from ?? 0);
  const digits = width >= 1 && Number.isInteger(width) ? 0 : width >= 0.1 ? 1 : 2;
  const text = (value: number): string => formatNumber(value, digits, data.locale);
  const items = surface.ramp.map(({ from, to, colour }) => {
    const swatch = el('span', { class: 'swatch' });
    swatch.style.background = colour;
    return el('li', {}, swatch, `${text(from)} – ${text(to)}`);
  });
  if (surface.hasNoData) items.push(el('li', {}, el('span', { class: 'swatch hatch' }), data.labels.noData));
  const title = fill(data.window ? data.labels.rainTotal : data.labels.rainNoWindow, { unit: surface.unit });
  return el('div', {}, el('h3', {}, title), el('ul', { class: 'ramp' }, ...items));
}

/** Legend with checkboxes that show and hide classes and layers. */
export function createLegend(data: MapData, view: MapView): HTMLElement {
  const { labels } = data;
  const layers: HTMLElement[] = [];
  if (data.surface) layers.push(toggle([labels.surface], (on) => view.showLayer('surface', on)));
  if (data.gauges.length > 0) {
    layers.push(toggle([gaugeSymbol(), labels.gaugeUnit], (on) => view.showLayer('gauges', on)));
  }
  if (data.borders.length > 0) layers.push(toggle([labels.borders], (on) => view.showLayer('borders', on)));
  layers.push(toggle([labels.graticule], (on) => view.showLayer('graticule', on)));
  return el(
    'section',
    { class: 'legend', 'aria-labelledby': 'legend-title' },
    el('h2', { id: 'legend-title' }, labels.legend),
    classList(data, view),
    data.surface ? rampList(data.surface, data) : null,
    el('div', {}, el('h3', {}, labels.show), el('ul', { class: 'layers' }, ...layers.map((one) => el('li', {}, one)))),
  );
}

type Fact = readonly [title: string, ...lines: string[]];

function factList(data: MapData): Fact[] {
  const { labels, window } = data;
  const times = window
    ? [`${window.utc} ${labels.windowUtc}`, `${window.local} (${window.zone})`]
    : [labels.windowUnknown];
  if (data.windowDiffers) times.push(labels.windowDiffers);
  const systems = [fill(labels.crsData, { crs: data.dataCrs.join(', ') }), labels.crsDisplay];
  if (data.simplifiedM > 0) systems.push(fill(labels.simplified, { m: data.simplifiedM }));
  const facts: Fact[] = [
    [labels.window, ...times],
    [labels.crs, ...systems],
  ];
  if (data.rule.length > 0) {
    facts.push([data.mode === 'exposure' ? labels.ruleExposure : labels.ruleScreening, ...data.rule]);
  }
  if (data.method.length > 0) facts.push([labels.method, ...data.method]);
  facts.push([labels.sources, ...(data.sources.length > 0 ? data.sources : [labels.sourceNone])]);
  facts.push([labels.created, `${data.created} ${labels.windowUtc}`]);
  return facts;
}

/** Window, reference systems, method, sources and licences. */
export function createFacts(data: MapData): HTMLElement {
  const facts = factList(data).map(([title, ...lines]) =>
    el('div', {}, el('dt', {}, title), ...lines.map((line) => el('dd', { dir: 'auto' }, line))),
  );
  return el('section', { class: 'facts', 'aria-label': data.labels.about }, el('dl', {}, ...facts));
}
