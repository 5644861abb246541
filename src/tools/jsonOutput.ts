import type { ToolOutput } from '../catalog/tool.ts';
import { canonicalJson } from '../plan/canonical.ts';
import { MEDIA } from './gis/formats.ts';

/** A JSON output with sorted keys. `schema` is the JSON Schema that the port promises. */
export function jsonOutput(value: unknown, type: ToolOutput['type'], fileName: string): ToolOutput {
  return { bytes: new TextEncoder().encode(canonicalJson(value)), mediaType: MEDIA.json, type, fileName };
}
