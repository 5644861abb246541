/** Leaflet layers of the assets: canvas markers with the class symbol, cased lines, patterned areas. */
import * as L from 'leaflet';
import type { Geometry } from 'geojson';
import type { ClassStyle, PatternName } from '../../tools/gis/map/classes.ts';
import { SYMBOL_PATHS } from '../../tools/gis/map/symbols.ts';

/** What Leaflet 1.9 keeps inside a canvas path; there is no public way to draw another shape. */
interface CanvasPath {
  readonly _renderer: { readonly _drawing: boolean; readonly _ctx: CanvasRenderingContext2D };
  readonly _point: L.Point;
  readonly _radius: number;
  readonly options: { readonly draw?: (context: CanvasRenderingContext2D) => void };
  _empty(): boolean;
}

type MarkerClass = new (at: L.LatLngExpression, options: object) => L.CircleMarker;

/** A circle marker whose look is drawn by `options.draw` in a system with the origin at the place and radius 1. */
const DrawnMarker = L.CircleMarker.extend({
  _updatePath(this: CanvasPath): void {
    if (!this._renderer._drawing || this._empty()) return;
    const context = this._renderer._ctx;
    context.save();
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.translate(this._point.x, this._point.y);
    context.scale(this._radius, this._radius);
    this.options.draw?.(context);
    context.restore();
  },
}) as unknown as MarkerClass;

function drawSymbol(context: CanvasRenderingContext2D, style: ClassStyle, radius: number): void {
  const path = new Path2D(SYMBOL_PATHS[style.symbol]);
  context.lineJoin = 'round';
  context.strokeStyle = '#fff';
  context.lineWidth = 4.5 / radius;
  context.stroke(path);
  context.fillStyle = style.colour;
  context.fill(path);
  context.strokeStyle = '#1c1c1c';
  context.lineWidth = 0.9 / radius;
  context.stroke(path);
}

/** Symbol of an asset at a place. */
export function symbolMarker(at: L.LatLngExpression, style: ClassStyle, radius: number): L.CircleMarker {
  return new DrawnMarker(at, {
    radius,
    draw: (context: CanvasRenderingContext2D) => drawSymbol(context, style, radius),
  });
}

/** A rain gauge. */
export function gaugeMarker(at: L.LatLngExpression): L.CircleMarker {
  return new DrawnMarker(at, {
    radius: 4,
    draw: (context: CanvasRenderingContext2D) => {
      for (const [radius, colour] of [
        [1.45, '#fff'],
        [1.15, '#111'],
        [0.78, '#fff'],
        [0.3, '#111'],
      ] as const) {
        context.beginPath();
        context.arc(0, 0, radius, 0, Math.PI * 2);
        context.fillStyle = colour;
        context.fill();
      }
    },
  });
}

function pattern(name: PatternName, colour: string): CanvasPattern | string {
  if (name === 'solid' || name === 'none') return colour;
  const tile = document.createElement('canvas');
  tile.width = 8;
  tile.height = 8;
  const context = tile.getContext('2d');
  if (!context) return colour;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  if (name === 'dots') context.arc(4, 4, 1.6, 0, Math.PI * 2);
  else {
    for (const [x, y, u, v] of [
      [-2, 2, 2, -2],
      [0, 8, 8, 0],
      [6, 10, 10, 6],
    ] as const) {
      context.moveTo(x, y);
      context.lineTo(u, v);
      if (name === 'grid') {
        context.moveTo(8 - x, y);
        context.lineTo(8 - u, v);
      }
    }
    if (name === 'grid') context.lineWidth = 0.8;
  }
  if (name === 'dots') context.fill();
  else context.stroke();
  return context.createPattern(tile, 'repeat') ?? colour;
}

/** Draws the lines and areas of one class; points become symbols. Returns the layers in drawing order. */
export class ClassBrush {
  readonly #style: ClassStyle;
  readonly #radius: number;
  readonly #fill: CanvasPattern | string;

  constructor(style: ClassStyle, radius: number) {
    this.#style = style;
    this.#radius = radius;
    this.#fill = pattern(style.pattern, style.colour);
  }

  /** The class symbol at a place (longitude, latitude), for an outline too small to see. */
  symbol(at: readonly [number, number]): L.Path {
    return symbolMarker(place(at), this.#style, this.#radius);
  }

  layers(geometry: Geometry): L.Path[] {
    switch (geometry.type) {
      case 'Point':
        return [symbolMarker(place(geometry.coordinates), this.#style, this.#radius)];
      case 'MultiPoint':
        return geometry.coordinates.map((at) => symbolMarker(place(at), this.#style, this.#radius));
      case 'LineString':
        return this.#line([geometry.coordinates.map(place)]);
      case 'MultiLineString':
        return this.#line(geometry.coordinates.map((line) => line.map(place)));
      case 'Polygon':
        return [this.#area([geometry.coordinates.map((ring) => ring.map(place))])];
      case 'MultiPolygon':
        return [this.#area(geometry.coordinates.map((one) => one.map((ring) => ring.map(place))))];
      case 'GeometryCollection':
        return geometry.geometries.flatMap((part) => this.layers(part));
    }
  }

  #line(lines: L.LatLngExpression[][]): L.Path[] {
    const { colour, dash } = this.#style;
    return [
      L.polyline(lines, { color: '#fff', weight: 6, opacity: 0.9, interactive: false }),
      L.polyline(lines, { color: colour, weight: 3.2, dashArray: [...dash], lineCap: 'butt' }),
    ];
  }

  #area(rings: L.LatLngExpression[][][]): L.Path {
    const { colour, dash, pattern: name } = this.#style;
    return L.polygon(rings, {
      color: colour,
      weight: 2,
      dashArray: [...dash],
      // Leaflet hands the value to the canvas as it is: a pattern works like a colour.
      fillColor: this.#fill as string,
      fillOpacity: name === 'solid' ? 0.45 : name === 'none' ? 0.12 : 0.8,
    });
  }
}

const place = (position: readonly number[]): L.LatLngTuple => [position[1] ?? 0, position[0] ?? 0];
