import type { z } from 'zod';
import { isStopped } from '../ledger/outcome.ts';
import type { NewInstance } from '../ledger/port.ts';
import { laneChunks, laneInstanceId, MOST_INLINE } from '../orchestration/lanes.ts';
import { expandInput, type ExpandResult } from '../orchestration/messages.ts';
import type { ScheduleGroup } from '../orchestration/schedule.ts';
import { valuesOfItems } from '../plan/conditions.ts';
import { ToolError } from '../plan/errors.ts';
import type { JsonValue } from '../plan/types.ts';
import type { Services } from '../runs/services.ts';
import { groupOf } from '../runs/warranted.ts';
import { authorizeNode } from './authorizeNode.ts';
import { checkItems } from './checkItems.ts';
import { howItEnded } from './condition.ts';
import { itemsDigest, itemsOf } from './items.ts';
import { openNode, type NodeContext } from './nodeContext.ts';
import { parseInput } from './parse.ts';
import { recordRefusal } from './refusal.ts';
import { answer, failureOf, type Unnamed } from './result.ts';

type Request = z.infer<typeof expandInput>;
type Answer = Unnamed<ExpandResult>;

const MOST_LANE_ATTEMPTS = 4;

/**
 * Expands a `forEach` group, whole, before its first instance starts: resolves the items, checks their number and, as
 * far as known, the arguments of every member for every item, and records expansion and lanes in one transaction. The
 * first recorded expansion stands.
 */
export async function expand(services: Services, input: unknown): Promise<ExpandResult> {
  const request = parseInput(expandInput, input, 'expand');
  const { nodeId, attempt } = request;
  const named = (result: Answer): ExpandResult => answer({ version: 1, nodeId, item: -1, attempt, ...result });
  let context: NodeContext | undefined;
  try {
    context = await openNode(services, { ...request, item: -1 }, { whole: true });
    const group = groupOf(context.warranted.schedule, nodeId);
    if (group === undefined) throw new ToolError('WARRANT_MISMATCH', `${nodeId} heads no group in this plan.`);
    return named(await execute(services, context, group, request));
  } catch (error) {
    const failure = failureOf(services, request, error);
    if (context !== undefined && (await recordRefusal(services, context, request, failure)) === 'held')
      return named({ state: 'held' });
    return named({ state: 'failed', error: failure });
  }
}

async function execute(
  services: Services,
  context: NodeContext,
  group: ScheduleGroup,
  request: Request,
): Promise<Answer> {
  const { ledger } = services;
  const { run, warranted } = context;
  const { runId, nodeId, revision, by } = request;
  const now = services.now();
  if (request.decisions.length > 0) await ledger.recordDecisions(runId, by, request.decisions, now);

  const known = await ledger.getExpansion(runId, revision, nodeId);
  if (known !== undefined) {
    if (request.again !== undefined) await planAgain(services, context, group, known.count, request.again);
    return { state: 'expanded', count: known.count, mode: known.mode };
  }
  if (isStopped(run)) throw new ToolError('CANCELLED', 'The run was stopped before this node started.');
  if (run.control === 'suspend') return { state: 'held' };

  await authorizeNode(services, run, context.tool);
  const items = await resolved(services, context, group, request);
  if ('reason' in items) {
    const decision = {
      seq: 1,
      nodeId,
      item: -1,
      kind: 'skippedByCondition',
      attempt: 0,
      reason: items.reason,
    } as const;
    await ledger.recordDecisions(runId, `when:${nodeId}:-1`, [decision], now);
    return { state: 'skipped', reason: items.reason };
  }
  const { schedule } = warranted;
  const members = group.members.flatMap((index) => {
    const id = schedule.nodes[index]?.id;
    return warranted.plan.nodes.find((candidate) => candidate.id === id) ?? [];
  });
  await checkItems(services, context, members, items);

  const inline = items.length * members.length <= Math.min(request.inlineLeft, MOST_INLINE);
  const lanes = inline ? [] : lanesOf(context, group, items.length);
  const row = await ledger.saveExpansion(
    {
      runId,
      revision,
      nodeId,
      count: items.length,
      itemsDigest: itemsDigest(items),
      mode: inline ? 'inline' : 'lanes',
      createdAt: now,
    },
    lanes,
    by,
    request.decisions,
  );
  return { state: 'expanded', count: row.count, mode: row.mode };
}

/** The items, or why there are none: the node they come from was skipped or failed. */
async function resolved(
  services: Services,
  context: NodeContext,
  group: ScheduleGroup,
  request: Request,
): Promise<readonly JsonValue[] | { readonly reason: string }> {
  const { warranted, node, upstream } = context;
  try {
    return await itemsOf(warranted, node, upstream, group.maxItems);
  } catch (error) {
    const from = valuesOfItems(node)[0];
    if (!(error instanceof ToolError) || error.code !== 'UPSTREAM_NOT_COMPLETED' || from === undefined) throw error;
    const ended = await howItEnded(services, context, request.decisions, from.nodeId);
    if (ended === null) throw error;
    return { reason: `needs ${from.nodeId}, which ${ended}`.slice(0, 200) };
  }
}

function laneOf(context: NodeContext, from: number, to: number, attempt: number): NewInstance {
  const { runId, nodeId, revision } = context.ids;
  const child = { nodeId, item: from, revision, attempt };
  return { ...child, instanceId: laneInstanceId(runId, child), runId, kind: 'lane', until: null, to };
}

function lanesOf(context: NodeContext, group: ScheduleGroup, count: number): readonly NewInstance[] {
  const { window } = context.warranted.schedule;
  return laneChunks(count, window, group.members.length).map(({ from, to }) => laneOf(context, from, to, 1));
}

/** The child of a lane was lost: the next one is recorded before it is called; ids are never reused. */
async function planAgain(
  services: Services,
  context: NodeContext,
  group: ScheduleGroup,
  count: number,
  again: NonNullable<Request['again']>,
): Promise<void> {
  if (again.attempt > MOST_LANE_ATTEMPTS)
    throw new ToolError('TOOL_FAILED', `The lane from item ${String(again.from)} was lost too often.`);
  const lane = lanesOf(context, group, count).find(({ item }) => item === again.from);
  if (lane === undefined || lane.to === null)
    throw new ToolError('WARRANT_MISMATCH', `No lane begins at item ${String(again.from)}.`);
  const now = services.now();
  const before = laneOf(context, again.from, lane.to, again.attempt - 1);
  await services.ledger.moveInstance(before.instanceId, 'ended', now);
  await services.ledger.planInstance(laneOf(context, again.from, lane.to, again.attempt), now);
}
