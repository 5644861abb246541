import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readSettings, SETTING_NAMES } from '../../../src/config/read.ts';

const root = new URL('../../../', import.meta.url);
const read = async (name: string) => readFile(new URL(name, root), 'utf8');

describe('local.settings.sample.json', () => {
  it('lists every setting that the app reads, and no other', async () => {
    const { Values } = JSON.parse(await read('local.settings.sample.json')) as { Values: Record<string, string> };
    expect(Object.keys(Values).sort()).toEqual(['FUNCTIONS_WORKER_RUNTIME', ...SETTING_NAMES].sort());
    expect(readSettings(Values)).toEqual(readSettings({ AZURE_FUNCTIONS_ENVIRONMENT: 'Development' }));
  });

  it('O-15 host.json takes its hub name from the setting that we check', async () => {
    const host = JSON.parse(await read('host.json')) as { extensions: { durableTask: { hubName: string } } };
    expect(host.extensions.durableTask.hubName).toBe('%GEOAGENT_TASK_HUB%');
  });

  it('the source reads no setting that is not listed', async () => {
    const source = await read('src/config/read.ts');
    const used = [...source.matchAll(/read\.(?:text|integer|record|oneOf)\(\s*'(\w+)'/g)].map((match) => match[1]);
    const known: readonly string[] = [...SETTING_NAMES, 'WEBSITE_INSTANCE_ID', 'WEBSITE_AUTH_ENABLED'];
    expect([...new Set(used)].filter((name) => !known.includes(name ?? ''))).toEqual([]);
    expect(new Set(used).size).toBe(known.length);
  });
});
