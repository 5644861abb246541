import { z } from 'zod';
import { sourceArg } from '../rainfall/args.ts';

const column = z.string().min(1).max(200);

const columnsArg = z.strictObject({
  id: column.optional(),
  name: column.optional(),
  x: column.optional(),
  y: column.optional(),
  /** Attributes to keep; all when left out. */
  keep: z.array(column).max(200).optional(),
});

export const loadAssetsArgs = z.strictObject({
  source: sourceArg,
  format: z.enum(['geojson', 'csv']).optional(),
  layer: z.string().min(1).max(200).optional(),
  columns: columnsArg.optional(),
  crs: z.string().min(1).max(80).optional(),
  role: z.enum(['assets', 'zones']).default('assets'),
});

export type LoadAssetsArgs = z.infer<typeof loadAssetsArgs>;
export type AssetColumns = z.infer<typeof columnsArg>;
