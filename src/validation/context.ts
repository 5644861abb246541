import type { Catalog } from '../catalog/catalog.ts';
import type { Principal } from '../identity/principal.ts';
import type { JsonValue } from '../plan/types.ts';
import type { Allow } from '../plan/warrant.ts';
import type { Decide } from '../policy/decide.ts';

/** What the validator knows of the world; everything comes in as a parameter. */
export interface ValidationContext {
  readonly catalog: Catalog;
  /** Only then an omitted source means the bundled sample. */
  readonly development: boolean;
  readonly allow: Allow;
  readonly principal: Principal;
  readonly limits: {
    readonly maxNodes: number;
    readonly maxParallelNodes: number;
    readonly maxDeadlineSeconds: number;
    readonly maxCostCents: number;
  };
  /** Uploads this principal may read, by lower-case SHA-256. */
  readonly uploads: ReadonlyMap<string, { readonly mediaType: string; readonly name: string }>;
  /** Names of the configured connections. */
  readonly connections: ReadonlySet<string>;
  /** Values that the request's body gives for inputs; they replace those of the plan and enter its digest. */
  readonly inputs?: Readonly<Record<string, JsonValue>>;
  /** Policy engine; the built-in table when absent. */
  readonly decide?: Decide;
}

/** 90 days: the longest wait, and so the longest run. Timers stay short; long waits are children (I11). */
export const MAX_DEADLINE_SECONDS = 90 * 86_400;
export const DEFAULT_DEADLINE_SECONDS = 1_800;
