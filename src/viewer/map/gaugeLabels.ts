import * as L from 'leaflet';
import type { MapGauge } from '../../tools/gis/map/mapData.ts';
import { el } from './dom.ts';

const CELL_WIDTH = 44;
const CELL_HEIGHT = 20;
const MAX_LABELS = 160;

/** Values beside the gauges; where they would overlap, the larger value wins, and zooming in shows the rest. */
export class GaugeLabels {
  readonly #map: L.Map;
  readonly #box = el('div', { class: 'gauge-labels', 'aria-hidden': 'true' });
  readonly #gauges: readonly { readonly at: L.LatLng; readonly text: string }[];
  #shown = true;

  constructor(map: L.Map, gauges: readonly MapGauge[], format: (mm: number) => string) {
    this.#map = map;
    this.#gauges = [...gauges]
      .sort((a, b) => b.mm - a.mm || (a.id < b.id ? -1 : 1))
      .map((one) => ({ at: L.latLng(one.lat, one.lon), text: format(one.mm) }));
    map.createPane('gaugeLabels').append(this.#box);
    map.on('zoomstart', () => this.#box.replaceChildren());
    map.on('moveend zoomend resize', () => this.#draw());
    this.#draw();
  }

  show(on: boolean): void {
    this.#shown = on;
    this.#draw();
  }

  #draw(): void {
    const taken = new Set<string>();
    const labels: HTMLElement[] = [];
    const view = this.#map.getBounds();
    for (const { at, text } of this.#shown ? this.#gauges : []) {
      if (labels.length >= MAX_LABELS) break;
      if (!view.contains(at)) continue;
      const point = this.#map.latLngToLayerPoint(at);
      const [column, row] = [Math.floor(point.x / CELL_WIDTH), Math.floor(point.y / CELL_HEIGHT)];
      const cells = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => `${column + dx}/${row + dy}`));
      if (cells.some((cell) => taken.has(cell))) continue;
      taken.add(`${column}/${row}`);
      const label = el('span', {}, text);
      label.style.transform = `translate(${Math.round(point.x + 7)}px, ${Math.round(point.y - 8)}px)`;
      labels.push(label);
    }
    this.#box.replaceChildren(...labels);
  }
}
