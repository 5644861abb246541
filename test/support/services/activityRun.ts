/** One accepted and validated run, and short calls of its activities by name: for tests of single activities. */
import { begin } from '../../../src/activities/begin.ts';
import { expand } from '../../../src/activities/expand.ts';
import { gather } from '../../../src/activities/gather.ts';
import { node } from '../../../src/activities/node.ts';
import { plan } from '../../../src/activities/plan.ts';
import { validate } from '../../../src/activities/validate.ts';
import type { ExpandResult, NodeResult } from '../../../src/orchestration/messages.ts';
import type { Schedule } from '../../../src/orchestration/schedule.ts';
import { accept } from './driveRun.ts';
import type { TestServices } from './testServices.ts';

type More = Readonly<Record<string, unknown>>;

export interface ActivityRun {
  readonly runId: string;
  readonly warrant: string;
  readonly schedule: Schedule;
  readonly node: (nodeId: string, more?: More) => Promise<NodeResult>;
  readonly item: (nodeId: string, item: number, more?: More) => Promise<NodeResult>;
  readonly expand: (nodeId: string, more?: More) => Promise<ExpandResult>;
  readonly gather: (nodeId: string, more?: More) => Promise<NodeResult>;
  /** The JSON of an output as the ledger and the store have it. */
  readonly output: (nodeId: string, output: string, item?: number) => Promise<unknown>;
}

/** Takes a run that is accepted already through planning and validation. */
export async function validated(services: TestServices, runId: string): Promise<ActivityRun> {
  await begin(services, { version: 1, runId, instanceId: runId });
  await plan(services, { version: 1, runId });
  const result = await validate(services, { version: 1, runId });
  if (result.schedule === undefined) throw new Error(result.error?.message ?? 'not validated');
  const { warrant } = result.schedule;
  const ids = { version: 1, runId, revision: 1, warrant, attempt: 1, by: runId, decisions: [] };
  return {
    runId,
    warrant,
    schedule: result.schedule,
    node: (nodeId, more) => node(services, { ...ids, nodeId, item: -1, phase: 'do', ...more }),
    item: (nodeId, item, more) => node(services, { ...ids, nodeId, item, phase: 'do', ...more }),
    expand: (nodeId, more) => expand(services, { ...ids, nodeId, inlineLeft: 50, ...more }),
    gather: (nodeId, more) => gather(services, { ...ids, nodeId, ...more }),
    async output(nodeId, output, item = -1) {
      const row = (await services.ledger.artifactsOf(runId, nodeId, item)).find((one) => one.output === output);
      if (row === undefined) return undefined;
      const bytes = await services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes });
      return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    },
  };
}

export async function prepare(services: TestServices, planned: unknown): Promise<ActivityRun> {
  return validated(services, await accept(services, planned));
}

export const codeOf = (result: NodeResult | ExpandResult): string =>
  result.state === 'failed' ? `${result.error.code}/${result.error.class}` : result.state;
