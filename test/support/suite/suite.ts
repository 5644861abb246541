/**
 * The end-to-end suite: one list of cases, run on any host by name. What each case saw is compared with the golden file
 * that was recorded on the real engine (`GOLDEN=record npm run test:engine`), so that any difference is a failure.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { caseOn } from '../hosts/cases.ts';
import { startTestHost } from '../hosts/start.ts';
import type { HostName, TestHost } from '../hosts/types.ts';
import { TEST_APP } from '../testApp/index.ts';
import type { Case, Observation } from './case.ts';

const GOLDEN = join(import.meta.dirname, '../../golden/suite');
const recording = process.env['GOLDEN'] === 'record';
/** Cases that share a host at the same time. */
const AT_ONCE = 4;

const fileOf = (name: string): string =>
  join(
    GOLDEN,
    `${name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 80)}.json`,
  );

function compare(host: HostName, { name, needs }: Case, seen: Observation): void {
  const file = fileOf(name);
  const text = `${JSON.stringify(seen, null, 2)}\n`;
  // The real engine is the truth; only what it can't run is recorded from the embedded host.
  if (recording && (host === 'engine' || needs === 'clock')) {
    mkdirSync(GOLDEN, { recursive: true });
    writeFileSync(file, text);
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
 * Defines one test a case on this host. Cases without `own` share one host, a few at the same time. SUITE, a regular
 * expression over names, picks some.
 */
export function defineSuite(host: HostName, all: readonly Case[]): void {
  const cases = all.filter(({ name }) => new RegExp(process.env['SUITE'] ?? '', 'i').test(name));
  let shared: Promise<TestHost> | undefined;
  const waiting = cases.filter((one) => !needsOwn(one));
  const started = new Map<string, Promise<Observation>>();
  let running = 0;
  const startNext = (): void => {
    while (running < AT_ONCE) {
      const next = waiting.shift();
      if (next === undefined) return;
      running += 1;
      shared ??= startFor(host, false);
      const result = shared
        .then((up) => next.run(up))
        .finally(() => {
          running -= 1;
          startNext();
        });
      result.catch(() => undefined);
      started.set(next.name, result);
      finished.get(next.name)?.resolve(result);
    }
  };
  const finished = new Map(waiting.map((one) => [one.name, Promise.withResolvers<Observation>()]));
  for (const one of finished.values()) one.promise.catch(() => undefined);
  afterAll(async () => (await shared?.catch(() => undefined))?.stop());

  for (const one of cases) {
    caseOn(
      host,
      one.name,
      async () => {
        if (needsOwn(one)) {
          compare(host, one, await onOwnHost(host, one));
          return;
        }
        startNext();
        const seen = await finished.get(one.name)?.promise;
        if (seen === undefined) throw new Error(`"${one.name}" was not started`);
        compare(host, one, seen);
      },
      { skip: one.needs === 'clock' && host === 'engine', timeout: one.limitMs ?? 300_000 },
    );
  }
}
