/** Layers of the static map, each as SVG text inside the frame. */
import type { Geometry, Position } from 'geojson';
import type { ClassStyle } from '../classes.ts';
import { drawOrder, middleOf, needsSymbol } from '../drawOrder.ts';
import type { MapData } from '../mapData.ts';
import { formatNumber } from '../numbers.ts';
import { degreeLabel, graticuleStep, multiplesWithin } from '../niceSteps.ts';
import { SYMBOL_PATHS } from '../symbols.ts';
import type { SurfacePicture } from '../warp.ts';
import { inside, type Frame } from './frame.ts';
import { textAt, textWidth } from './text.ts';

const px = (value: number): string => value.toFixed(1);

/** Path data of lines or rings. */
function pathData(lines: readonly (readonly Position[])[], frame: Frame, close: boolean): string {
  return lines
    .map((line) => {
      const points = line.map((at) =>
        frame
          .project(at[0] ?? 0, at[1] ?? 0)
          .map(px)
          .join(','),
      );
      return points.length === 0 ? '' : `M${points.join('L')}${close ? 'Z' : ''}`;
    })
    .join('');
}

/** Rain surface; cells stay sharp. */
export function surfaceLayer(data: MapData, picture: SurfacePicture | null, frame: Frame): string {
  if (!picture || !data.surface) return '';
  const [x, y] = frame.projectMetres(picture.box[0], picture.box[3]);
  const [right, bottom] = frame.projectMetres(picture.box[2], picture.box[1]);
  return `<image x="${px(x)}" y="${px(y)}" width="${px(right - x)}" height="${px(bottom - y)}" preserveAspectRatio="none" image-rendering="optimizeSpeed" href="${data.surface.url}"/>`;
}

/** Coast and borders. */
export function bordersLayer(data: MapData, frame: Frame): string {
  const lines = data.borders.map((line) => line.map(([lon, lat]) => [lon, lat]));
  const path = pathData(lines, frame, false);
  return path === ''
    ? ''
    : `<path d="${path}" fill="none" stroke="#4d5866" stroke-width="1.3" stroke-linejoin="round"/>`;
}

/** Meridians and parallels with their numbers along the lower and right edge. */
export function graticuleLayer(data: MapData, frame: Frame): string {
  const [west, south, east, north] = frame.degrees;
  const step = graticuleStep(Math.min(east - west, north - south), 3);
  const right = frame.x + frame.width;
  const bottom = frame.y + frame.height;
  const parts: string[] = [];
  for (const lon of multiplesWithin(west, east, step)) {
    const [x] = frame.project(lon, south);
    parts.push(`<path d="M${px(x)},${frame.y}V${bottom}"/>`);
    parts.push(
      textAt(degreeLabel(lon, 'lon', step, data.locale), x, bottom + 16, {
        size: 12,
        anchor: 'middle',
        colour: '#445',
      }),
    );
  }
  for (const lat of multiplesWithin(south, north, step)) {
    const [, y] = frame.project(west, lat);
    parts.push(`<path d="M${frame.x},${px(y)}H${right}"/>`);
    parts.push(textAt(degreeLabel(lat, 'lat', step, data.locale), right + 5, y + 4, { size: 12, colour: '#445' }));
  }
  return `<g stroke="none"><g stroke="#44546a" stroke-opacity="0.5" stroke-width="0.8">${parts.filter((one) => one.startsWith('<path')).join('')}</g>${parts.filter((one) => !one.startsWith('<path')).join('')}</g>`;
}

/** A class symbol with its white casing at a pixel. */
export function symbolAt(style: ClassStyle, x: number, y: number, radius: number): string {
  const path = SYMBOL_PATHS[style.symbol];
  const at = `transform="translate(${px(x)},${px(y)}) scale(${radius})" stroke-linejoin="round"`;
  return `<path d="${path}" ${at} fill="#fff" stroke="#fff" stroke-width="${(4.2 / radius).toFixed(3)}"/><path d="${path}" ${at} fill="${style.colour}" stroke="#1c1c1c" stroke-width="${(1 / radius).toFixed(3)}"/>`;
}

const dashed = (style: ClassStyle): string =>
  style.dash.length > 0 ? ` stroke-dasharray="${style.dash.join(' ')}"` : '';

function geometryLayer(geometry: Geometry, style: ClassStyle, index: number, frame: Frame, radius: number): string {
  const symbol = (at: Position): string => symbolAt(style, ...frame.project(at[0] ?? 0, at[1] ?? 0), radius);
  const line = (lines: Position[][]): string => {
    const path = pathData(lines, frame, false);
    return `<path d="${path}" fill="none" stroke="#fff" stroke-width="6.5" stroke-linejoin="round"/><path d="${path}" fill="none" stroke="${style.colour}" stroke-width="3.4"${dashed(style)}/>`;
  };
  const area = (rings: Position[][]): string =>
    `<path d="${pathData(rings, frame, true)}" fill="url(#class${index})" fill-rule="evenodd" stroke="${style.colour}" stroke-width="2"${dashed(style)}/>`;
  switch (geometry.type) {
    case 'Point':
      return symbol(geometry.coordinates);
    case 'MultiPoint':
      return geometry.coordinates.map(symbol).join('');
    case 'LineString':
      return line([geometry.coordinates]);
    case 'MultiLineString':
      return line(geometry.coordinates);
    case 'Polygon':
      return area(geometry.coordinates);
    case 'MultiPolygon':
      return geometry.coordinates.map(area).join('');
    case 'GeometryCollection':
      return geometry.geometries.map((one) => geometryLayer(one, style, index, frame, radius)).join('');
  }
}

/** Assets by class: areas below lines below points, the strongest class on top of its kind. */
export function assetsLayer(data: MapData, frame: Frame): string {
  const radius = data.assets.length > 800 ? 5 : data.assets.length > 200 ? 6.5 : 8.5;
  return drawOrder(data.assets, frame.degrees)
    .map((one) => {
      const style = data.classes[one.classIndex];
      if (!style || !one.geometry) return '';
      const shape = geometryLayer(one.geometry, style, one.classIndex, frame, radius);
      return one.box && needsSymbol(one, frame.degrees)
        ? shape + symbolAt(style, ...frame.project(...middleOf(one.box)), radius)
        : shape;
    })
    .join('');
}

/** Fill patterns of the classes, referenced as `url(#class0)` and so on. */
export function patternDefinitions(classes: readonly ClassStyle[]): string {
  return classes
    .map(({ colour, pattern }, index) => {
      const strokes = `stroke="${colour}" stroke-width="${pattern === 'grid' ? 0.9 : 2}" fill="none"`;
      const content = {
        solid: `<rect width="8" height="8" fill="${colour}" fill-opacity="0.45"/>`,
        none: `<rect width="8" height="8" fill="${colour}" fill-opacity="0.12"/>`,
        hatch: `<path d="M-2,2 L2,-2 M0,8 L8,0 M6,10 L10,6" ${strokes}/>`,
        grid: `<path d="M-2,2 L2,-2 M0,8 L8,0 M6,10 L10,6 M10,2 L6,-2 M8,8 L0,0 M2,10 L-2,6" ${strokes}/>`,
        dots: `<circle cx="4" cy="4" r="1.6" fill="${colour}"/>`,
      }[pattern];
      return `<pattern id="class${index}" width="8" height="8" patternUnits="userSpaceOnUse">${content}</pattern>`;
    })
    .join('');
}

/** A gauge: white dot with a black ring and a centre, unlike any class symbol. */
export const gaugeAt = (x: number, y: number): string =>
  `<circle cx="${px(x)}" cy="${px(y)}" r="5.6" fill="#fff"/><circle cx="${px(x)}" cy="${px(y)}" r="4" fill="#fff" stroke="#111" stroke-width="1.5"/><circle cx="${px(x)}" cy="${px(y)}" r="1.3" fill="#111"/>`;

type Rectangle = readonly [left: number, top: number, right: number, bottom: number];
const overlaps = (a: Rectangle, b: Rectangle): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Labels that do not overlap one another: asked first, placed first. */
export class Labelling {
  readonly #taken: Rectangle[] = [];
  readonly #frame: Frame;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  /** Keeps an area free of labels. */
  block(area: Rectangle): void {
    this.#taken.push(area);
  }

  /** A label right or left of a point, or '' where there is no room. */
  place(text: string, x: number, y: number, gap: number, size: number, bold: boolean): string {
    const width = textWidth(text, size, bold);
    for (const side of [1, -1]) {
      const left = side > 0 ? x + gap : x - gap - width;
      const area: Rectangle = [left - 2, y - size * 0.7, left + width + 2, y + size * 0.6];
      const { x: fx, y: fy, width: fw, height: fh } = this.#frame;
      const fits = area[0] >= fx && area[1] >= fy && area[2] <= fx + fw && area[3] <= fy + fh;
      if (!fits || this.#taken.some((one) => overlaps(one, area))) continue;
      this.#taken.push(area);
      return textAt(text, left, y + size * 0.36, { size, bold, halo: true });
    }
    return '';
  }
}

/** Keeps labels off the symbols themselves: gauges and assets, as long as there are few enough to care. */
export function blockSymbols(data: MapData, frame: Frame, labelling: Labelling): void {
  const points = data.assets.flatMap((one) =>
    one.box && (one.geometry?.type === 'Point' || needsSymbol(one, frame.degrees)) ? [middleOf(one.box)] : [],
  );
  const places = [...data.gauges.map((one) => [one.lon, one.lat]), ...points];
  for (const [lon = 0, lat = 0] of places.length > 1500 ? [] : places) {
    const [x, y] = frame.project(lon, lat);
    labelling.block([x - 6, y - 6, x + 6, y + 6]);
  }
}

/** Gauges; their values are placed by `gaugeValues` after the names of the strongest assets. */
export const gaugesLayer = (data: MapData, frame: Frame): string =>
  data.gauges.map((one) => frame.project(one.lon, one.lat)).filter((at) => inside(frame, at)).map((at) => gaugeAt(...at)).join(''); // prettier-ignore

/** Values beside the gauges, larger ones first where room is short. */
export function gaugeValues(data: MapData, frame: Frame, labelling: Labelling): string {
  const digits = data.gauges.every((one) => one.mm >= 100) ? 0 : 1;
  return [...data.gauges]
    .sort((a, b) => b.mm - a.mm || (a.id < b.id ? -1 : 1))
    .slice(0, 250)
    .map((one) =>
      labelling.place(formatNumber(one.mm, digits, data.locale), ...frame.project(one.lon, one.lat), 8, 11.5, false),
    )
    .join('');
}

/** Names of the assets of the strongest class, most probable first, as far as they fit. */
export function assetNames(data: MapData, frame: Frame, labelling: Labelling): string {
  return data.assets
    .filter((one) => one.classIndex === 0 && data.classes.length > 1 && one.box !== null)
    .sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0) || (b.rain ?? 0) - (a.rain ?? 0) || a.index - b.index)
    .slice(0, 24)
    .map((one) => {
      const name = Array.from(one.name).length > 32 ? `${Array.from(one.name).slice(0, 31).join('')}…` : one.name;
      return labelling.place(name, ...frame.project(...middleOf(one.box ?? data.box)), 13, 13.5, true);
    })
    .join('');
}
