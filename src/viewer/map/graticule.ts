import * as L from 'leaflet';
import type { Locale } from '../../tools/gis/map/labels.ts';
import { degreeLabel, graticuleStep, multiplesWithin } from '../../tools/gis/map/niceSteps.ts';
import { el } from './dom.ts';

/** Meridians and parallels at round degrees with their numbers at the map's edge, redrawn for each view. */
export class Graticule {
  readonly #map: L.Map;
  readonly #locale: Locale;
  readonly #lines = L.layerGroup();
  readonly #numbers = el('div', { class: 'graticule', 'aria-hidden': 'true' });
  readonly #renderer: L.Renderer;
  #shown = true;

  constructor(map: L.Map, locale: Locale, renderer: L.Renderer) {
    this.#map = map;
    this.#locale = locale;
    this.#renderer = renderer;
    this.#lines.addTo(map);
    map.getContainer().append(this.#numbers);
    map.on('moveend zoomend resize', () => this.#draw());
    map.on('movestart', () => this.#numbers.replaceChildren());
    this.#draw();
  }

  show(on: boolean): void {
    this.#shown = on;
    this.#draw();
  }

  #draw(): void {
    this.#lines.clearLayers();
    this.#numbers.replaceChildren();
    if (!this.#shown) return;
    const bounds = this.#map.getBounds();
    const [west, east] = [Math.max(-180, bounds.getWest()), Math.min(180, bounds.getEast())];
    const [south, north] = [Math.max(-84, bounds.getSouth()), Math.min(84, bounds.getNorth())];
    const size = this.#map.getSize();
    const step = graticuleStep(((east - west) * Math.min(size.x, size.y)) / Math.max(1, size.x), 3);
    const style = { color: '#44546a', weight: 0.7, opacity: 0.55, interactive: false, renderer: this.#renderer };
    for (const lon of multiplesWithin(west, east, step)) {
      this.#lines.addLayer(
        L.polyline(
          [
            [south, lon],
            [north, lon],
          ],
          style,
        ),
      );
      const { x } = this.#map.latLngToContainerPoint([south, lon]);
      this.#number(degreeLabel(lon, 'lon', step, this.#locale), 'lon', x);
    }
    for (const lat of multiplesWithin(south, north, step)) {
      this.#lines.addLayer(
        L.polyline(
          [
            [lat, west],
            [lat, east],
          ],
          style,
        ),
      );
      const { y } = this.#map.latLngToContainerPoint([lat, west]);
      this.#number(degreeLabel(lat, 'lat', step, this.#locale), 'lat', y);
    }
  }

  #number(text: string, axis: 'lon' | 'lat', offset: number): void {
    const number = el('span', { class: axis }, text);
    number.style[axis === 'lon' ? 'left' : 'top'] = `${Math.round(offset)}px`;
    this.#numbers.append(number);
  }
}
