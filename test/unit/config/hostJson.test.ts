import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loose } from '../../support/system/api.ts';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string): Loose => JSON.parse(readFileSync(join(root, file), 'utf8'));

describe('host.json and pins', () => {
  const { durableTask, http } = read('host.json').extensions;

  it('O-07 (3) a running instance can never be replaced by a start', () => {
    expect(durableTask.overridableExistingInstanceStates).toBe('NonRunningStates');
  });

  it('O-15 (3) the task hub has a name of its own for each app and slot', () => {
    expect(durableTask.hubName).toBe('%GEOAGENT_TASK_HUB%');
    expect(read('local.settings.sample.json').Values.GEOAGENT_TASK_HUB).toMatch(/^[A-Za-z][A-Za-z0-9]{2,44}$/);
  });

  it('O-05 (1) durable-functions is pinned exactly to a version that delivers early events', () => {
    expect(read('package.json').dependencies['durable-functions']).toBe('3.5.0');
  });

  it('every dependency is pinned exactly', () => {
    const { dependencies, devDependencies } = read('package.json');
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (name === '@types/node') continue;
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  it('routes stand under /api', () => {
    expect(http.routePrefix).toBe('api');
  });
});
