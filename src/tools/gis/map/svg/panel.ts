/** Legend and facts at the right of the static map, set from top to bottom. */
import { fill } from '../fill.ts';
import type { MapData, MapSurface } from '../mapData.ts';
import { formatNumber } from '../numbers.ts';
import { gaugeAt, symbolAt } from './layers.ts';
import { textAt, wrapText } from './text.ts';

/** Writes lines down a column and remembers where it is. */
class Column {
  readonly #parts: string[] = [];
  readonly #x: number;
  readonly #width: number;
  readonly #bottom: number;
  #y: number;

  constructor(x: number, y: number, width: number, bottom: number) {
    this.#x = x;
    this.#y = y;
    this.#width = width;
    this.#bottom = bottom;
  }

  heading(text: string, size = 15): void {
    this.#y += 10;
    this.text(text, { size, bold: true, maxLines: 2 });
    this.#y += 3;
  }

  text(
    text: string,
    style: { size?: number; bold?: boolean; colour?: string; maxLines?: number; indent?: number },
  ): void {
    const { size = 13, bold = false, colour = '#17202b', maxLines = 3, indent = 0 } = style;
    const room = Math.max(0, Math.floor((this.#bottom - this.#y) / (size * 1.3)));
    const lines = wrapText(text, this.#width - indent, size, Math.min(maxLines, Math.max(1, room)), bold);
    for (const line of room === 0 ? [] : lines) {
      this.#y += size * 1.3;
      this.#parts.push(textAt(line, this.#x + indent, this.#y, { size, bold, colour }));
    }
  }

  gap(height: number): void {
    this.#y += height;
  }

  /** A row with a drawing of up to `indent` pixels left of the text, and a number at the right end. */
  row(draw: (x: number, y: number) => string, text: string, indent: number, right = ''): void {
    if (this.#y + 22 > this.#bottom) return;
    this.#y += 22;
    const reserve = right === '' ? 0 : 44;
    const lines = wrapText(text, this.#width - indent - reserve, 13, 2);
    this.#parts.push(draw(this.#x, this.#y - 5));
    if (right !== '') {
      this.#parts.push(textAt(right, this.#x + this.#width, this.#y, { size: 14, bold: true, anchor: 'end' }));
    }
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#y += 16;
      this.#parts.push(textAt(line, this.#x + indent, this.#y, { size: 13 }));
    }
  }

  toString(): string {
    return this.#parts.join('');
  }
}

function classRows(column: Column, data: MapData): void {
  const kinds = new Set(data.assets.map((one) => one.geometry?.type ?? ''));
  const lines = [...kinds].some((kind) => kind.endsWith('LineString'));
  const areas = [...kinds].some((kind) => kind.endsWith('Polygon'));
  const indent = 26 + (lines ? 38 : 0) + (areas ? 34 : 0);
  for (const [index, style] of data.classes.entries()) {
    const dash = style.dash.length > 0 ? ` stroke-dasharray="${style.dash.join(' ')}"` : '';
    const draw = (x: number, y: number): string => {
      const line = lines ? `<path d="M${x + 24},${y}h32" stroke="${style.colour}" stroke-width="3.4"${dash}/>` : '';
      const left = x + 24 + (lines ? 38 : 0);
      const area = areas
        ? `<rect x="${left}" y="${y - 8}" width="28" height="16" fill="url(#class${index})" stroke="${style.colour}" stroke-width="2"${dash}/>`
        : '';
      return symbolAt(style, x + 9, y, 7.5) + line + area;
    };
    column.row(draw, style.label, indent, String(style.count));
  }
}

const swatch = (x: number, y: number, paint: string): string =>
  `<rect x="${x}" y="${y - 8}" width="30" height="16" ${paint} stroke="#7d8998"/>`;

function rampRows(column: Column, surface: MapSurface, data: MapData): void {
  const width = (surface.ramp[0]?.to ?? 1) - (surface.ramp[0]?.from ?? 0);
  const digits = width >= 1 && Number.isInteger(width) ? 0 : width >= 0.1 ? 1 : 2;
  const text = (value: number): string => formatNumber(value, digits, data.locale);
  for (const { from, to, colour } of surface.ramp) {
    column.row((x, y) => swatch(x, y, `fill="${colour}"`), `${text(from)} – ${text(to)}`, 40);
  }
  if (surface.hasNoData) {
    column.row((x, y) => swatch(x, y, 'fill="url(#noData)"'), data.labels.noData, 40);
  }
}

/** SVG of the panel between `y` and `bottom`. */
export function panel(data: MapData, x: number, y: number, width: number, bottom: number): string {
  const { labels } = data;
  const column = new Column(x, y, width, bottom);
  column.heading(data.mode === 'exposure' ? labels.classesExposure : labels.classesScreening);
  classRows(column, data);
  if (data.withoutGeometry > 0) {
    column.gap(6);
    column.text(fill(labels.noGeometryNote, { n: data.withoutGeometry }), {});
  }
  if (data.surface) {
    column.heading(fill(data.window ? labels.rainTotal : labels.rainNoWindow, { unit: data.surface.unit }));
    rampRows(column, data.surface, data);
  }
  if (data.gauges.length > 0) {
    column.row((left, top) => gaugeAt(left + 14, top), `${labels.gaugeUnit} (${data.gauges.length})`, 40);
  }
  column.heading(labels.window);
  if (data.window) {
    column.text(`${data.window.utc} ${labels.windowUtc}`, {});
    column.text(data.window.local, {});
    column.text(`(${data.window.zone})`, {});
  } else column.text(labels.windowUnknown, {});
  if (data.windowDiffers) column.text(labels.windowDiffers, { colour: '#a8071a' });
  column.heading(labels.crs);
  column.text(fill(labels.crsData, { crs: data.dataCrs.join(', ') }), {});
  column.text(labels.crsDisplay, {});
  if (data.rule.length > 0) {
    column.heading(data.mode === 'exposure' ? labels.ruleExposure : labels.ruleScreening);
    for (const line of data.rule) column.text(line, { size: 12 });
  }
  if (data.method.length > 0) {
    column.heading(labels.method);
    for (const line of data.method) column.text(line, { size: 12 });
  }
  column.heading(labels.created);
  column.text(`${data.created} ${labels.windowUtc}`, {});
  return column.toString();
}
