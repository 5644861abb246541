import { ToolError } from '../../plan/errors.ts';

/** What the product reads; every refusal by type ends with this list. */
export const ACCEPTED_TYPES = 'CSV, JSON, GeoJSON, GeoTIFF and Esri ASCII grid';

/** `UPLOAD_INVALID`: the file cannot be read as what it claims to be; `what` says why and what to do. */
export function uploadInvalid(what: string): ToolError {
  return new ToolError('UPLOAD_INVALID', what);
}
