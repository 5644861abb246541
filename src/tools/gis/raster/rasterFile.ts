import type { RasterRole } from '../../../catalog/portTypes.ts';
import type { ToolInput, ToolOutput } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import { MEDIA, type Raster } from '../formats.ts';
import { writeCog } from './cogWriter.ts';
import { readGeoTiff } from './geoTiffReader.ts';
import { rasterTypeOf } from './grid.ts';

const ROLES: ReadonlySet<string> = new Set<RasterRole>(['rain', 'terrain', 'slope', 'runoff', 'screening']);
const isRole = (text: string | undefined): text is RasterRole => text !== undefined && ROLES.has(text);

/**
 * Reads a raster artifact of an earlier node: one of our own files, with role, unit and a known CRS in it.
 * @param roles what the port takes
 * @throws ToolError `STATE_INVALID` when the file is not such a raster
 */
export async function readRaster(input: ToolInput, roles: readonly RasterRole[]): Promise<Raster> {
  const file = await readGeoTiff(input.bytes).catch((error: unknown) => {
    throw error instanceof ToolError ? new ToolError('STATE_INVALID', error.message) : error;
  });
  const { GEOAGENT_ROLE: role, GEOAGENT_UNIT: unit, AREA_OR_POINT: _area, ...metadata } = file.metadata;
  if (!isRole(role) || !roles.includes(role)) {
    throw new ToolError(
      'STATE_INVALID',
      `A raster with role ${roles.join(' or ')} was expected; the file says ${role ?? 'nothing'}.`,
    );
  }
  if (file.crs === null || unit === undefined)
    throw new ToolError('STATE_INVALID', 'The raster file names no coordinate system or no unit.');
  const { width, height, originX, originY, cellSize, crs } = file;
  const bands = file.bands.map(({ name, values }) => ({ name, values }));
  return { width, height, originX, originY, cellSize, crs, unit, role, bands, metadata };
}

/** A raster as the output of a tool: Cloud-Optimised GeoTIFF and its type. */
export function rasterOutput(raster: Raster, fileName: string): ToolOutput {
  return { bytes: writeCog(raster), mediaType: MEDIA.cog, type: rasterTypeOf(raster), fileName };
}

/** The band of that name. @throws ToolError `STATE_INVALID` when there is none */
export function bandOf(raster: Raster, name: string): Float32Array {
  const band = raster.bands.find((candidate) => candidate.name === name);
  if (!band) throw new ToolError('STATE_INVALID', `The raster has no band ${name}.`);
  return band.values;
}
