import { defineConfig } from 'vitest/config';

/** Test tiers (docs: CONTRIBUTING.md). The first four are fast and need no process of their own. */
const tier = (name: string, options: Record<string, unknown> = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], environment: 'node', ...options },
});

export default defineConfig({
  test: {
    projects: [
      tier('unit'),
      tier('property', { testTimeout: 30_000 }),
      tier('contract'),
      tier('replay', { testTimeout: 30_000 }),
      tier('e2e', { testTimeout: 180_000, hookTimeout: 120_000, fileParallelism: false }),
      tier('browser', { testTimeout: 180_000, hookTimeout: 120_000, fileParallelism: false }),
      tier('engine', { testTimeout: 900_000, hookTimeout: 300_000, fileParallelism: false }),
    ],
  },
});
