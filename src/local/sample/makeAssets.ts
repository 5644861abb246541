import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { transformer } from '../../tools/gis/crs/transformer.ts';
import type { Place } from './places.ts';
import { mulberry32 } from './random.ts';
import { inlandKm, SAMPLE_CRS } from './region.ts';

const SEED = 20_260_501;

/** Kinds of points: how many, and how they are called. */
const POINTS = [
  ['school', 36, 'Scuola primaria'],
  ['hospital', 12, 'Ospedale'],
  ['substation', 22, 'Cabina primaria'],
  ['waterworks', 10, 'Acquedotto'],
  ['fireStation', 8, 'Vigili del fuoco'],
] as const;
const ROADS = 26;
const RAILS = 8;
const PLANTS = 28;
/** Assets out of reach of the gauges. */
const BEYOND = 8;

/**
 * Infrastructure at, between and around places; every name says that it is invented.
 * @param beyond places out of reach of the gauges.
 */
export function makeAssets(places: readonly Place[], beyond: readonly Place[]): FeatureCollection {
  const random = mulberry32(SEED);
  const features: Feature[] = [];
  const add = (kind: string, name: string, geometry: Geometry): void => {
    const id = `${kind}-${String(features.length + 1).padStart(3, '0')}`;
    features.push({ type: 'Feature', id, geometry, properties: { id, name: `${name} (synthetic)`, kind } });
  };
  const pick = (): Place =>
    places[Math.floor(random() * places.length)] ?? { name: 'Liguria', population: 0, x: 495_000, y: 4_925_000 };
  for (const [kind, count, label] of POINTS) {
    for (let n = 0; n < count; n += 1) {
      const place = pick();
      const [x, y] = onLand(place, random, 1200);
      add(kind, `${label} ${place.name}`, { type: 'Point', coordinates: degrees(x, y) });
    }
  }
  for (const [from, to] of links(places, ROADS, random)) {
    add('road', `Strada ${from.name}–${to.name}`, { type: 'LineString', coordinates: bent(from, to, random) });
  }
  const coast = places.filter((place) => inlandKm(place.x, place.y) < 3).sort((a, b) => a.x - b.x);
  for (let n = 0; n < RAILS; n += 1) {
    const [from, to] = [coast[n * 2], coast[n * 2 + 2]];
    if (from !== undefined && to !== undefined) {
      add('railway', `Ferrovia ${from.name}–${to.name}`, { type: 'LineString', coordinates: bent(from, to, random) });
    }
  }
  for (let n = 0; n < PLANTS; n += 1) {
    const place = pick();
    add('plant', `Area produttiva ${place.name}`, {
      type: 'Polygon',
      coordinates: [block(onLand(place, random, 1800), random)],
    });
  }
  for (const place of beyond.slice(0, BEYOND))
    add('school', `Scuola primaria ${place.name}`, { type: 'Point', coordinates: degrees(place.x, place.y) });
  return { type: 'FeatureCollection', features };
}

const toDegrees = transformer(SAMPLE_CRS, 'EPSG:4326');

function degrees(x: number, y: number): Position {
  return toDegrees(x, y).map((value) => Math.round(value * 1e6) / 1e6);
}

/** A point within some metres of a place, on land. */
function onLand(place: Place, random: () => number, radiusM: number): [number, number] {
  for (let tries = 0; tries < 20; tries += 1) {
    const x = place.x + (random() * 2 - 1) * radiusM;
    const y = place.y + (random() * 2 - 1) * radiusM;
    if (inlandKm(x, y) > 0.05) return [x, y];
  }
  return [place.x, place.y];
}

/** Pairs of neighbouring places, each place once at most as a start. */
function links(places: readonly Place[], count: number, random: () => number): [Place, Place][] {
  const starts = places.map((place) => ({ place, key: random() })).sort((a, b) => a.key - b.key);
  return starts.slice(0, count).flatMap(({ place }): [Place, Place][] => {
    const others = places.filter((other) => other !== place).sort((a, b) => distance(place, a) - distance(place, b));
    const to = others[Math.floor(random() * 3)];
    return to === undefined ? [] : [[place, to]];
  });
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** A line with four bends. */
function bent(from: Place, to: Place, random: () => number): Position[] {
  const side = distance(from, to) * 0.08;
  return [0, 0.2, 0.4, 0.6, 0.8, 1].map((t) => {
    const off = t === 0 || t === 1 ? 0 : (random() * 2 - 1) * side;
    return degrees(from.x + (to.x - from.x) * t + off, from.y + (to.y - from.y) * t - off);
  });
}

/** A turned rectangle of 150 to 900 m, counter-clockwise and closed. */
function block([x, y]: [number, number], random: () => number): Position[] {
  const [w, h, angle] = [75 + random() * 375, 75 + random() * 225, random() * Math.PI];
  const corners: [number, number][] = [
    [-w, -h],
    [w, -h],
    [w, h],
    [-w, h],
    [-w, -h],
  ];
  return corners.map(([a, b]) =>
    degrees(x + a * Math.cos(angle) - b * Math.sin(angle), y + a * Math.sin(angle) + b * Math.cos(angle)),
  );
}
