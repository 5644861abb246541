import { fromArrayBuffer, type GeoTIFFImage } from 'geotiff';
import { ToolError } from '../../../plan/errors.ts';
import { findCrs } from '../crs/crsInfo.ts';
import { installBoundedDecoders } from './boundedDecoders.ts';
import { readGdalMetadata, type GdalMetadata } from './gdalMetadata.ts';
import { scanTiff } from './tiffScan.ts';

/** A GeoTIFF as it stands in the file; what it means (role, unit) is for the caller to say. */
export interface GeoTiff {
  readonly width: number;
  readonly height: number;
  /** Top-left corner of the top-left cell (PixelIsPoint files are moved by half a cell). */
  readonly originX: number;
  readonly originY: number;
  readonly cellSize: number;
  /** `EPSG:n` of the horizontal system; null when the file names none that is known here. */
  readonly crs: string | null;
  /** The code in the file, known or not, for messages. */
  readonly crsCode: number | null;
  /** Unit of heights by the file's vertical system or band: EPSG 9001 metre, 9002 foot, 9003 US survey foot; null = not stated. */
  readonly verticalUnit: number | null;
  /** No-data value of the file; null when it declares none. */
  readonly noData: number | null;
  /** No data as NaN. */
  readonly bands: readonly { readonly name: string; readonly unit: string; readonly values: Float32Array }[];
  readonly metadata: GdalMetadata['pairs'];
}

/** Vertical systems of the EPSG registry whose unit is a foot: NGVD29 (ftUS), NAVD88 (ftUS), NAVD88 (ft). */
const VERTICAL_IN_FEET: ReadonlyMap<number, number> = new Map([
  [5702, 9003],
  [6360, 9003],
  [8228, 9002],
]);
/** Names of feet that writers put into the unit of a band. */
const FEET_BY_NAME: ReadonlyMap<string, number> = new Map([
  ['ft', 9002],
  ['foot', 9002],
  ['feet', 9002],
  ['us survey foot', 9003],
  ['ftus', 9003],
  ['us-ft', 9003],
]);
const USER_DEFINED = 32767;
/** Cells count as square when their sides agree to this part. */
const SQUARE = 1e-6;

const bad = (what: string): ToolError => new ToolError('UPLOAD_INVALID', `This TIFF is refused: ${what}.`);

function placement(image: GeoTIFFImage): { originX: number; originY: number; cellSize: number } {
  const numbers = (tag: 'ModelPixelScale' | 'ModelTiepoint' | 'ModelTransformation'): number[] | undefined => {
    const value: unknown = image.fileDirectory.getValue(tag);
    return value === undefined ? undefined : Array.from(value as ArrayLike<number>);
  };
  const scale = numbers('ModelPixelScale');
  const tie = numbers('ModelTiepoint');
  const matrix = numbers('ModelTransformation');
  let x: number;
  let y: number;
  let dx: number;
  let dy: number;
  if (scale && tie && tie.length >= 6) {
    [dx = NaN, dy = NaN] = scale;
    x = (tie[3] ?? NaN) - (tie[0] ?? NaN) * dx;
    y = (tie[4] ?? NaN) + (tie[1] ?? NaN) * dy;
  } else if (matrix?.length === 16) {
    if (matrix[1] !== 0 || matrix[4] !== 0) throw bad('its grid is turned; warp it north-up first');
    dx = matrix[0] ?? NaN;
    dy = -(matrix[5] ?? NaN);
    x = matrix[3] ?? NaN;
    y = matrix[7] ?? NaN;
  } else {
    throw bad('it says nowhere where it lies (no model tie point and scale)');
  }
  if (![x, y, dx, dy].every(Number.isFinite) || dx <= 0) throw bad('its placement is not finite');
  if (dy <= 0) throw bad('its first row is south; warp it north-up first');
  if (Math.abs(dx - dy) > SQUARE * dx)
    throw bad(`its cells are not square (${dx} × ${dy}); resample it to square cells first`);
  const point = !image.pixelIsArea();
  return { originX: point ? x - dx / 2 : x, originY: point ? y + dy / 2 : y, cellSize: dx };
}

function crsOf(image: GeoTIFFImage): { crs: string | null; crsCode: number | null; verticalUnit: number | null } {
  const keys: Record<string, unknown> = image.getGeoKeys() ?? {};
  const code = (name: string): number | null => {
    const value = keys[name];
    return typeof value === 'number' && value > 0 && value !== USER_DEFINED ? value : null;
  };
  const projected = keys['GTModelTypeGeoKey'] !== 2;
  const crsCode = projected
    ? (code('ProjectedCRSGeoKey') ?? code('ProjectedCSTypeGeoKey'))
    : (code('GeodeticCRSGeoKey') ?? code('GeographicTypeGeoKey'));
  const linear = code('ProjLinearUnitsGeoKey');
  if (projected && linear !== null && linear !== 9001)
    throw bad(`its coordinates are in unit ${linear} and not in metres`);
  return {
    crs: crsCode === null ? null : (findCrs(`EPSG:${crsCode}`)?.id ?? null),
    crsCode,
    verticalUnit:
      code('VerticalUnitsGeoKey') ??
      VERTICAL_IN_FEET.get(code('VerticalGeoKey') ?? code('VerticalCSTypeGeoKey') ?? 0) ??
      null,
  };
}

function withoutNoData(values: ArrayLike<number>, noData: number | null): Float32Array {
  const out = Float32Array.from(values);
  // GDAL stores the no-data value as a decimal text: it may differ from the float32 in the cells in the last place.
  const rounded = noData === null ? NaN : Math.fround(noData);
  if (!Number.isNaN(rounded)) {
    for (let i = 0; i < out.length; i += 1) if (out[i] === rounded) out[i] = NaN;
  }
  return out;
}

/**
 * Reads a GeoTIFF after {@link scanTiff} has passed it: square north-up cells, at most 25 million, up to four bands.
 * @throws ToolError `UPLOAD_INVALID` with the reason; never anything else for bad bytes
 */
export async function readGeoTiff(bytes: Uint8Array): Promise<GeoTiff> {
  const facts = scanTiff(bytes);
  installBoundedDecoders();
  try {
    const copy = new Uint8Array(bytes.length);
    copy.set(bytes);
    const tiff = await fromArrayBuffer(copy.buffer);
    const image = await tiff.getImage(0);
    const place = placement(image);
    const crs = crsOf(image);
    const text: unknown = image.fileDirectory.hasTag('GDAL_METADATA')
      ? await image.fileDirectory.loadValue('GDAL_METADATA')
      : '';
    const metadata = readGdalMetadata(typeof text === 'string' ? text : '');
    const noData = image.getGDALNoData();
    const rasters: readonly ArrayLike<number>[] = await image.readRasters({ interleave: false });
    const bands = rasters.map((values, index) => ({
      name: metadata.descriptions.get(index) ?? `band_${index + 1}`,
      unit: metadata.units.get(index) ?? '',
      values: withoutNoData(values, noData),
    }));
    const verticalUnit = crs.verticalUnit ?? FEET_BY_NAME.get((bands[0]?.unit ?? '').trim().toLowerCase()) ?? null;
    return {
      ...place,
      ...crs,
      width: facts.width,
      height: facts.height,
      verticalUnit,
      noData,
      bands,
      metadata: metadata.pairs,
    };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw bad('its data cannot be decoded');
  }
}
