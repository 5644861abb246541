import { z } from 'zod';
import { StateInvalid, type Ledger, type PlanRow } from '../ledger/port.ts';
import { scheduleSchema } from '../orchestration/messages.ts';
import type { Schedule, ScheduleGroup } from '../orchestration/schedule.ts';
import { planDigest as digestOf } from '../plan/digest.ts';
import { ToolError } from '../plan/errors.ts';
import { parsePlan } from '../plan/schema.ts';
import type { Plan } from '../plan/types.ts';
import { parseWarrant, warrantDigest, type Warrant } from '../plan/warrant.ts';

/** What `validate1` stores beside the plan for people and for later checks (column Findings). */
export const planNotes = z.strictObject({
  version: z.literal(1),
  warnings: z.array(z.json()),
  /** Tool name → version the plan was validated against (O-15: a changed tool is a typed error, not a replay error). */
  tools: z.record(z.string(), z.string()),
});
export type PlanNotes = z.infer<typeof planNotes>;

export interface WarrantedPlan {
  readonly plan: Plan;
  readonly planDigest: string;
  readonly warrant: Warrant;
  readonly warrantDigest: string;
  readonly revision: number;
  readonly notes: PlanNotes;
  readonly schedule: Schedule;
}

/** Head of the group of a `forEach` node: its expansion is named by it. Throws WARRANT_MISMATCH for another node. */
export function headOf({ schedule }: Pick<WarrantedPlan, 'schedule'>, nodeId: string): string {
  const group = groupOf(schedule, nodeId);
  const head = schedule.nodes[group?.members[0] ?? -1]?.id;
  if (head === undefined) throw new ToolError('WARRANT_MISMATCH', `${nodeId} runs over no items in this plan.`);
  return head;
}

export function groupOf(schedule: Schedule, nodeId: string): ScheduleGroup | undefined {
  const group = schedule.nodes.find((node) => node.id === nodeId)?.group;
  return group === undefined ? undefined : schedule.groups?.[group];
}

/** Parses a stored plan and warrant and recomputes both digests: a row that was touched is refused (STATE_INVALID). */
export function openPlanRow(row: PlanRow): WarrantedPlan {
  const parsed = parsePlan(parseJson(row.plan, 'plan'));
  const warrant = parseWarrant(parseJson(row.warrant, 'warrant'));
  const notes = planNotes.safeParse(parseJson(row.findings, 'notes'));
  const schedule = scheduleSchema.safeParse(parseJson(row.schedule, 'schedule'));
  if (!parsed.ok || warrant === undefined || !notes.success || !schedule.success)
    throw new StateInvalid(`plan ${row.runId}/${String(row.revision)} has an unknown shape`);
  const plan = parsed.plan;
  if (digestOf(plan) !== row.planDigest || warrant.planDigest !== row.planDigest) {
    throw new StateInvalid(`plan ${row.runId}/${String(row.revision)} does not match its digest`);
  }
  if (warrantDigest(warrant) !== row.warrantDigest || warrant.runId !== row.runId) {
    throw new StateInvalid(`warrant ${row.runId}/${String(row.revision)} does not match its digest`);
  }
  return {
    plan,
    planDigest: row.planDigest,
    warrant: warrant,
    warrantDigest: row.warrantDigest,
    revision: row.revision,
    notes: notes.data,
    schedule: schedule.data,
  };
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StateInvalid(`the stored ${what} is not JSON`);
  }
}

const KEPT = 32;
const opened = new Map<string, WarrantedPlan>();

/**
 * The plan this warrant allows. Checked in every activity: another digest than the stored one is WARRANT_MISMATCH, one
 * past its expiry too. The content is immutable, so a verified one is kept for the process's next activities.
 */
export async function warrantedPlan(
  ledger: Ledger,
  runId: string,
  revision: number,
  digest: string,
  now: number,
): Promise<WarrantedPlan> {
  const key = `${runId}:${String(revision)}:${digest}`;
  let found = opened.get(key);
  if (found === undefined) {
    const row = await ledger.getPlan(runId, revision);
    if (row?.warrantDigest !== digest)
      throw new ToolError('WARRANT_MISMATCH', 'The warrant of this run is not the one that was issued.');
    found = openPlanRow(row);
    opened.set(key, found);
    const oldest = opened.keys().next();
    if (opened.size > KEPT && oldest.done !== true) opened.delete(oldest.value);
  }
  if (now > found.warrant.expiresAt) throw new ToolError('WARRANT_MISMATCH', 'The warrant of this run has expired.');
  return found;
}
