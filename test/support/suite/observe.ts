import { journalLines } from '../testApp/index.ts';
import type { TestHost } from '../hosts/types.ts';
import { call, output, startRun, TERMINAL, waitFor, type Answer, type Loose } from '../system/api.ts';
import type { Observation } from './case.ts';

/** Starts a plan and waits for its end. */
export async function runPlan(host: TestHost, body: unknown, ms = 120_000): Promise<Loose> {
  const runId = await startRun(host.baseUrl, body);
  return waitFor(host.baseUrl, runId, (run) => TERMINAL.has(run.status), ms);
}

/** How a run ended: status, error code, and each node's state, attempt, error code and items. */
export function ending(run: Loose): Observation {
  return {
    status: run.status,
    held: run.held,
    error: run.error?.code ?? null,
    nodes: Object.fromEntries(
      run.nodes.map((one: Loose) => [
        one.id,
        {
          state: one.state,
          attempt: one.attempt,
          ...(one.error === undefined ? {} : { error: one.error.code }),
          ...(one.items === undefined ? {} : { items: one.items }),
        },
      ]),
    ),
  };
}

/** The ending, and what the engine says of the instance. */
export async function whole(host: TestHost, run: Loose): Promise<Observation> {
  const { runtimeStatus, output: told } = await host.waitForEnd(run.runId);
  return { ...ending(run), runtimeStatus, told: (told as { status?: string } | null)?.status ?? null };
}

/** JSON value of one output. */
export async function value(host: TestHost, run: Loose, nodeId: string, name = 'value'): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await output(host.baseUrl, run.runId, nodeId, name)));
}

export async function post(host: TestHost, runId: string, what: string, body: unknown = {}): Promise<Loose> {
  const { status, body: answer } = await call(host.baseUrl, 'POST', `/runs/${runId}/${what}`, body);
  return { http: status, code: answer.code ?? null, control: answer.control ?? null };
}

/** Real executions that a run's counting tools noted, by node and item. */
export function executions(host: TestHost, runId: string, what = 'count'): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const line of journalLines(host.env['TEST_JOURNAL'])) {
    if (line.what !== what || line.runId !== runId) continue;
    const key = line.item === undefined || line.item < 0 ? `${line.nodeId}` : `${line.nodeId}[${line.item}]`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Waits until a node of the run is in this state. */
export const nodeIn = (host: TestHost, runId: string, nodeId: string, ...states: readonly string[]): Promise<Loose> =>
  waitFor(host.baseUrl, runId, (run) =>
    run.nodes.some((one: Loose) => one.id === nodeId && states.includes(one.state)),
  );

/** Types of the run's audit events with how often each occurs. */
export async function eventCounts(host: TestHost, runId: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (let after: string | null = '0'; after !== null;) {
    const { body }: Answer = await call(host.baseUrl, 'GET', `/runs/${runId}/events?limit=100&after=${after}`);
    for (const { type } of body.items) counts[type] = (counts[type] ?? 0) + 1;
    after = body.nextCursor;
  }
  return counts;
}
