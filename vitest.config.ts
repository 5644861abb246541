import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Test tiers (docs: CONTRIBUTING.md). The first four are fast and need no process of their own. */
const tier = (name: string, options: Record<string, unknown> = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], environment: 'node', ...options },
});

export default defineConfig({
  test: {
    // vitest leaves one core free; on a machine of two that halves the fast tiers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // Files of these tiers keep no state of their own: sharing a worker's modules saves most of their time.
      tier('unit', { isolate: false }),
      tier('property', { testTimeout: 30_000, isolate: false }),
      tier('contract'),
      tier('replay', { testTimeout: 30_000, isolate: false }),
      tier('faults', { testTimeout: 240_000, fileParallelism: false }),
      tier('e2e', { testTimeout: 180_000, hookTimeout: 120_000, fileParallelism: false }),
      tier('browser', { testTimeout: 180_000, hookTimeout: 120_000, fileParallelism: false }),
      tier('engine', { testTimeout: 900_000, hookTimeout: 300_000, fileParallelism: false }),
    ],
  },
});
