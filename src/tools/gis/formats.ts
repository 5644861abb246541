/**
 * What GIS artifacts hold, inside and between tools. Every reader parses with a versioned schema and refuses the rest
 * with `STATE_INVALID`; every writer is deterministic (sorted keys, fixed number formatting), so equal inputs give equal bytes.
 */
import type { FeatureCollection } from 'geojson';
import type { RasterRole, TimeWindow } from '../../catalog/portTypes.ts';

export const MEDIA = {
  observations: 'application/vnd.geoagent.observations+json',
  /** RFC 7946: EPSG:4326 only. */
  geojson: 'application/geo+json',
  /** A FeatureCollection in another CRS, named in its `crs` member. */
  features: 'application/vnd.geoagent.features+json',
  cog: 'image/tiff; application=geotiff; profile=cloud-optimized',
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  png: 'image/png',
  csv: 'text/csv; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

export interface SourceInfo {
  /** `sample`, `upload` or the connection's name. */
  readonly kind: string;
  readonly name: string;
  readonly sha256: string;
  readonly licence: string;
}

/** A gauge and its rain total over the window. */
export interface Station {
  readonly id: string;
  /** In the set's CRS: x = east or longitude, y = north or latitude. */
  readonly x: number;
  readonly y: number;
  /** Millimetres over the window. */
  readonly mm: number;
  readonly name?: string;
  readonly elevationM?: number;
  /** Codes of the observation report that this station carries (TRACE_AS_ZERO, OUTLIER …), sorted. */
  readonly flags?: readonly string[];
}

export interface ObservationSet {
  readonly version: 1;
  readonly quantity: 'rain';
  readonly unit: 'mm';
  readonly valueKind: 'interval';
  /** `EPSG:n`. */
  readonly crs: string;
  /** Null only when the source states none and none was asked for. */
  readonly window: TimeWindow | null;
  readonly validated: boolean;
  /** Sorted by id. */
  readonly stations: readonly Station[];
  readonly source: SourceInfo;
  /** Why nothing of the file is used (`file_error` of the report); whoever needs stations fails with this message. */
  readonly stopped?: { readonly code: string; readonly message: string };
}

/** Raster in memory. Row 0 is north. NaN = no data in every band. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Top-left corner of the top-left cell, in CRS units. */
  readonly originX: number;
  readonly originY: number;
  /** Square cells, CRS units. */
  readonly cellSize: number;
  readonly crs: string;
  readonly unit: string;
  readonly role: RasterRole;
  readonly bands: readonly { readonly name: string; readonly values: Float32Array }[];
  /** Free text pairs kept in the file's metadata (method, window, sources), sorted by key. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Features with the CRS they are in; `crs` is left out of the file when it is EPSG:4326. */
export interface FeatureSet {
  readonly crs: string;
  readonly collection: FeatureCollection;
  readonly source: SourceInfo;
}

export const EXPOSURE_CLASSES = ['exceeds', 'undecided', 'below', 'notAssessed'] as const;
export type ExposureClass = (typeof EXPOSURE_CLASSES)[number];

/** Properties that `gis.overlayExposure` adds to each asset (the asset's own ones stay). */
export interface ExposureProperties {
  /** Rain at the asset (largest over its cells), null when not assessed. */
  readonly rain_mm: number | null;
  readonly se_mm: number | null;
  readonly class: ExposureClass;
  /** Probability that the threshold is exceeded, from a normal error; null when not assessed. */
  readonly probability: number | null;
  /** `count` 1 for points, `length_m` for lines, `share` of the area for polygons: the part that exceeds, and the whole. */
  readonly measure: {
    readonly kind: 'count' | 'length_m' | 'area_share';
    readonly exposed: number;
    readonly total: number;
  };
}

/** Properties that `gis.computeRisk` / `gis.intersectRisk` add: a screening class, not a risk (design §3). */
export interface ScreeningProperties {
  /** Name of the class from the matrix (`classes`), null when not assessed. */
  readonly screeningClass: string | null;
  /** Rank in `classes`, 0 = lowest. */
  readonly screeningRank: number | null;
  readonly rain_mm: number | null;
  readonly slope_deg: number | null;
}
