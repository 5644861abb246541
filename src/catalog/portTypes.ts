/** What flows along an edge (contracts.md "Port types"). `null` for a field = known at run time, checked before use. */

/** Half-open interval in UTC: RFC 3339 with `Z`, `from` inclusive, `to` exclusive. */
export interface TimeWindow {
  readonly from: string;
  readonly to: string;
}

/** `[minX, minY, maxX, maxY]` in the CRS of the port. */
export type Extent = readonly [number, number, number, number];

export type Geometry = 'point' | 'line' | 'polygon' | 'mixed';
export type FeatureRole = 'assets' | 'zones' | 'result';
export type RasterRole = 'rain' | 'terrain' | 'slope' | 'runoff' | 'screening';
export type ValueKind = 'interval' | 'rate' | 'counter';

export interface ObservationsType {
  readonly kind: 'observations';
  readonly quantity: 'rain';
  readonly unit: 'mm' | null;
  readonly valueKind: ValueKind | null;
  readonly window: TimeWindow | null;
  /** `EPSG:n`. */
  readonly crs: string | null;
  readonly validated: boolean;
}

export interface FeaturesType {
  readonly kind: 'features';
  readonly geometry: Geometry | null;
  readonly crs: string | null;
  readonly role: FeatureRole;
  readonly fields: Readonly<Record<string, { readonly type: string; readonly unit?: string }>> | null;
}

export interface RasterType {
  readonly kind: 'raster';
  readonly crs: string | null;
  readonly unit: string | null;
  readonly role: RasterRole;
  /** Cell size in CRS units. */
  readonly resolution: number | null;
  readonly extent: Extent | null;
  readonly noData: number | null;
}

export interface TableType {
  readonly kind: 'table';
  readonly columns: Readonly<Record<string, { readonly type: string; readonly unit?: string }>> | null;
}

export type PortType =
  | ObservationsType
  | FeaturesType
  | RasterType
  | TableType
  /** `nullable`: null stands for a number that could not be told, with the reason in the checks. */
  | { readonly kind: 'number'; readonly unit: string | null; readonly nullable?: true }
  | { readonly kind: 'time'; readonly window: TimeWindow | null }
  | { readonly kind: 'report' }
  | { readonly kind: 'artifact'; readonly mediaType: string | null }
  /** `schema`: JSON Schema of the value; paths of references are checked against it. */
  | { readonly kind: 'json'; readonly schema: unknown };

export type PortKind = PortType['kind'];
