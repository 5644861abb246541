import type { z } from 'zod';
import { isStopped } from '../ledger/outcome.ts';
import { childInput, type lanePartResult } from '../orchestration/messages.ts';
import { MAX_SCHEDULE_BYTES, type Schedule, type ScheduleNode } from '../orchestration/schedule.ts';
import type { Services } from '../runs/services.ts';
import { groupOf, warrantedPlan } from '../runs/warranted.ts';
import { parseInput } from './parse.ts';
import { answer } from './result.ts';

type Result = z.infer<typeof lanePartResult>;

const no = (reason: string): Result => ({ version: 1, go: false, reason });

/**
 * What a lane works on: its group alone, and its items. Only the instance that the expansion recorded gets an answer,
 * and only while the run goes on.
 */
export async function lanePart(services: Services, input: unknown): Promise<Result> {
  const { runId, instanceId } = parseInput(childInput, input, 'lanePart');
  const { ledger } = services;
  const row = await ledger.getInstance(instanceId);
  if (row?.kind !== 'lane' || row.runId !== runId || row.to === null) return no('unexpectedInstance');
  if (row.state === 'ended') return no('ended');
  if (row.state === 'planned') await ledger.moveInstance(instanceId, 'live', services.now());
  const run = await ledger.getRun(runId);
  if (run === undefined || run.warrantDigest === null) return no('unknown');
  if (isStopped(run)) return no('stopped');

  const { schedule } = await warrantedPlan(ledger, runId, row.revision, run.warrantDigest, services.now());
  const group = groupOf(schedule, row.nodeId);
  if (group === undefined || schedule.nodes[group.members[0] ?? -1]?.id !== row.nodeId) return no('unexpectedGroup');
  const part: Result = {
    version: 1,
    go: true,
    schedule: ownSchedule(schedule, group.members) as Extract<Result, { go: true }>['schedule'],
    from: row.item,
    to: row.to,
    controlSeq: run.controlSeq,
    attempt: row.attempt,
  };
  return answer(part, MAX_SCHEDULE_BYTES + 1024);
}

/** The members of a group by themselves: indexes from 0 in the group's order, edges and needs among them only. */
export function ownSchedule(schedule: Schedule, members: readonly number[]): Schedule {
  const place = new Map(members.map((index, i) => [index, i]));
  const among = (indexes: readonly number[]): number[] =>
    indexes.flatMap((index) => place.get(index) ?? []).sort((a, b) => a - b);
  const nodes = members.flatMap((index): ScheduleNode[] => {
    const node = schedule.nodes[index];
    if (node === undefined) return [];
    const { id, seconds, attempts, kind, soft } = node;
    const needs = among(node.needs ?? []);
    return [
      {
        id,
        after: among(node.after),
        seconds,
        attempts,
        ...(kind === undefined ? {} : { kind }),
        ...(needs.length === 0 ? {} : { needs }),
        ...(soft === undefined ? {} : { soft }),
      },
    ];
  });
  const { version, runId, revision, warrant, deadlineAt } = schedule;
  return { version, runId, revision, warrant, deadlineAt, window: 1, nodes };
}
