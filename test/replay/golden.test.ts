/**
 * O-15 (1): histories recorded with this release, replayed by the SDK's own executor episode by episode; the action lists
 * are compared byte for byte. A change here means that runs under way at a deployment would break: then the interpreter's
 * major goes up and the old one stays registered. `GOLDEN=record` writes the files anew; `npx prettier --write test/replay/golden` then
 * gives them their form.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { goldenScripts } from '../support/orchestration/goldenScripts.ts';
import {
  digestOf,
  episodeOf,
  flat,
  record,
  registered,
  type Episode,
  type Recording,
} from '../support/orchestration/scriptedEngine.ts';
import { replayEvents } from '../unit/orchestration/sdkReplay.ts';

const FOLDER = join(import.meta.dirname, 'golden');
const ROOT = join(import.meta.dirname, '..', '..');
const fileOf = (name: string): string => join(FOLDER, `${name}.json`);
const names = Object.keys(goldenScripts);

if (process.env['GOLDEN'] === 'record')
  for (const [name, script] of Object.entries(goldenScripts))
    writeFileSync(fileOf(name), `${JSON.stringify(await record(script()))}\n`);

const read = (name: string): Recording => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Recording;

/** The events of the first `count` episodes; in an older one everything counts as played. */
function first(events: Recording['events'], count: number): Record<string, unknown>[] {
  const ends = events.flatMap(({ EventType }, i) => (EventType === 13 ? [i] : []));
  const from = count > 1 ? (ends[count - 2] ?? 0) : -1;
  return events.slice(0, (ends[count - 1] ?? 0) + 1).map((event, i) => ({
    ...event,
    IsPlayed: i <= from && event['EventType'] !== 12 && event['EventType'] !== 13,
    Timestamp: new Date(String(event['Timestamp'])),
  }));
}

async function replayed(name: string): Promise<readonly Episode[]> {
  const script = goldenScripts[name]?.();
  if (script === undefined) throw new Error(`no script ${name}`);
  const golden = read(name);
  const episodes: Episode[] = [];
  for (let count = 1; count <= golden.digests.length; count += 1) {
    const events = first(golden.events, count);
    episodes.push(episodeOf(await replayEvents(registered(script.body), events, script.instanceId)));
  }
  return episodes;
}

async function expectTheSame(name: string): Promise<void> {
  const golden = read(name);
  const episodes = await replayed(name);
  expect(JSON.stringify(episodes.at(-1))).toBe(JSON.stringify(golden.end));
  expect(episodes.map(digestOf)).toEqual(golden.digests);
}

const changed = [
  'GEOAGENT_MAX_PARALLEL_NODES',
  'GEOAGENT_MAX_NODES',
  'GEOAGENT_RESOURCES',
  'GEOAGENT_RETENTION_DAYS',
  'TZ',
];
const before = new Map(changed.map((name) => [name, process.env[name]]));
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

describe('O-15 (1) golden histories', () => {
  it('there is one file for each script and none besides', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(names.map((name) => `${name}.json`).sort());
  });

  it.each(names)('%s gives the same actions, status and output in every episode, byte for byte', async (name) => {
    await expectTheSame(name);
  });

  it.each(names)('O-01 %s does so with every limit around it changed', async (name) => {
    for (const variable of changed) process.env[variable] = '3';
    process.env['TZ'] = 'Pacific/Auckland';
    await expectTheSame(name);
  });

  it.each(names)('%s: each episode only adds to the actions of the one before', async (name) => {
    const lists = (await replayed(name)).map(({ actions }) =>
      flat(actions).map(({ actionType, functionName, instanceId }) => [actionType, functionName, instanceId]),
    );
    lists.slice(1).forEach((list, i) => {
      expect(list.slice(0, lists[i]?.length)).toEqual(lists[i]);
    });
  });

  it('they cover retries, waits, children, cancel, suspension, failure, loops, lanes and new generations', () => {
    const text = names.map((name) => JSON.stringify(read(name))).join('\n');
    for (const called of [
      'sleep1',
      'job1',
      'lane1',
      'expand1',
      'gather1',
      'stop1',
      'control1',
      'lanePart1',
      'sleepStep1',
      'jobStep1',
    ])
      expect(text).toContain(`"functionName":"${called}"`);
    expect(text).toContain('"actionType":4');
  });
});

describe('O-15 (2) a changed tool catalog changes no replay', () => {
  /** Every own file that the orchestrations reach by an import that is there at run time. */
  function reached(start: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const open = [start];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      for (const [, what = '', from = ''] of readFileSync(file, 'utf8').matchAll(/import\s+([^'"]*)from '([^']+)'/g))
        if (!what.startsWith('type ') && from.startsWith('.')) open.push(resolve(dirname(file), from));
    }
    return seen;
  }

  it('the orchestrations reach neither catalog nor tools, settings, ledger or plans of a run', () => {
    const files = [...reached(join(ROOT, 'src/functions/orchestrations.ts'))].map((file) => relative(ROOT, file));
    expect(files.length).toBeGreaterThan(20);
    expect(files.every((file) => existsSync(join(ROOT, file)))).toBe(true);
    const allowed =
      /^src\/(functions\/orchestrations|orchestration\/\w+|plan\/(sha256|canonical|operationKey|errors|numberText|stringText))\.ts$/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
  });
});
