/**
 * The end-to-end suite: one list of cases, run on any host by name. What each case saw is compared with the golden file
 * that was recorded on the real engine (`GOLDEN=record npm run test:engine`), so that any difference is a failure.
 */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { afterAll, expect } from 'vitest';
import { caseOn } from '../hosts/cases.ts';
import { startTestHost } from '../hosts/start.ts';
import type { HostName, TestHost } from '../hosts/types.ts';
import { TEST_APP } from '../testApp/index.ts';
import type { Case, Observation } from './case.ts';

const GOLDEN = join(import.meta.dirname, '../../golden/suite');
const recording = process.env['GOLDEN'] === 'record';
/** Cases at the same time. */
const AT_ONCE = 5;

const fileOf = (name: string): string =>
  join(
    GOLDEN,
    `${name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 80)}.json`,
  );

async function compare(host: HostName, { name, needs }: Case, seen: Observation): Promise<void> {
  const file = fileOf(name);
  // The real engine is the truth; only what it can't run is recorded from the embedded host.
  if (recording && (host === 'engine' || needs === 'clock')) {
    const options = { ...(await resolveConfig(file)), filepath: file };
    writeFileSync(file, await format(JSON.stringify(seen), options));
  }
  if (!existsSync(file))
    throw new Error(`No golden file for "${name}": record it with GOLDEN=record npm run test:engine`);
  expect(seen).toEqual(JSON.parse(readFileSync(file, 'utf8')));
}

async function startFor(host: HostName, clock: boolean, strict = true): Promise<TestHost> {
  const folder = mkdtempSync(join(tmpdir(), 'geoagent-suite-'));
  return startTestHost(host, {
    entryFiles: [TEST_APP],
    clock,
    strict,
    env: {
      TEST_JOURNAL: join(folder, 'journal.jsonl'),
      GEOAGENT_MAX_PARALLEL_NODES: '8',
      // By hand only: a pass in the middle of a case would be a difference between runs.
      GEOAGENT_JANITOR_SCHEDULE: '0 0 0 1 1 *',
    },
  });
}

const needsOwn = (one: Case): boolean => one.own === true || one.needs !== undefined || one.lenient === true;

async function onOwnHost(host: HostName, one: Case): Promise<Observation> {
  const running = await startFor(host, one.needs === 'clock', one.lenient !== true);
  try {
    return await one.run(running);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${running.log().slice(-4_000)}`, {
      cause: error,
    });
  } finally {
    await running.stop();
  }
}

/**
 * Defines one test a case on this host. Most cases share one host; all are begun a few at the same time, because most of
 * what they do is waiting. SUITE, a regular expression over names, picks some.
 */
export function defineSuite(host: HostName, all: readonly Case[]): void {
  const picked = all.filter(({ name }) => new RegExp(process.env['SUITE'] ?? '', 'i').test(name));
  const runnable = picked.filter(({ needs }) => needs !== 'clock' || host === 'embedded');
  let shared: Promise<TestHost> | undefined;
  const run = (one: Case): Promise<Observation> => {
    if (needsOwn(one)) return onOwnHost(host, one);
    shared ??= startFor(host, false);
    return shared.then((up) => one.run(up));
  };

  const seen = new Map(runnable.map((one) => [one.name, Promise.withResolvers<Observation>()]));
  for (const one of seen.values()) one.promise.catch(() => undefined);
  const waiting = [...runnable];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = run(next);
      seen.get(next.name)?.resolve(result);
      await result.catch(() => undefined);
    }
  };
  let begun = false;
  afterAll(async () => (await shared?.catch(() => undefined))?.stop());

  for (const one of picked) {
    caseOn(
      host,
      one.name,
      async () => {
        if (!begun) for (let i = 0; i < AT_ONCE; i += 1) void worker();
        begun = true;
        const promise = seen.get(one.name)?.promise;
        if (promise === undefined) throw new Error(`"${one.name}" was not started`);
        await compare(host, one, await promise);
      },
      { skip: !runnable.includes(one), timeout: one.limitMs ?? 400_000 },
    );
  }
}
