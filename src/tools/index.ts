import type { ToolDefinition } from '../catalog/tool.ts';
import { aggregateTool } from './core/aggregateTool.ts';
import { formatTool } from './core/formatTool.ts';
import { waitTool } from './core/waitTool.ts';
import { loadAssetsTool } from './gis/assets/tool.ts';
import { overlayExposureTool } from './gis/exposure/tool.ts';
import { interpolateTool } from './gis/interpolate/tool.ts';
import { generateMapTool } from './gis/map/tool.ts';
import { validateObservationsTool } from './gis/observations/tool.ts';
import { readRainfallTool } from './gis/rainfall/tool.ts';
import { reprojectTool } from './gis/reproject/tool.ts';
import { intersectRiskTool } from './gis/risk/intersectTool.ts';
import { computeRiskTool } from './gis/risk/tool.ts';
import { slopeTool } from './gis/slope/tool.ts';
import { loadTerrainTool } from './gis/terrain/tool.ts';

/** Every tool of the product, by name. */
export const allTools: readonly ToolDefinition[] = [
  aggregateTool,
  computeRiskTool,
  formatTool,
  generateMapTool,
  interpolateTool,
  intersectRiskTool,
  loadAssetsTool,
  loadTerrainTool,
  overlayExposureTool,
  readRainfallTool,
  reprojectTool,
  slopeTool,
  validateObservationsTool,
  waitTool,
].sort((a, b) => (a.name < b.name ? -1 : 1));
