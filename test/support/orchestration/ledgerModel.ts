/**
 * A small model of the ledger and its activities, written for tests of the scheduler alone: what is reserved, settled,
 * decided and controlled, and what each activity answers. Outcomes of tools come from a seed.
 */
import { ownSchedule } from '../../../src/activities/lanePart.ts';
import { laneChunks, laneInstanceId } from '../../../src/orchestration/lanes.ts';
import type { Decision } from '../../../src/orchestration/messages.ts';
import { childInstanceId } from '../../../src/plan/operationKey.ts';
import { Random } from '../fanout/random.ts';
import type { NodePlan, RandomSchedule } from './randomSchedule.ts';

export interface Call {
  readonly name: string;
  readonly input: unknown;
}
interface Input {
  readonly nodeId: string;
  readonly item?: number;
  readonly attempt: number;
  readonly phase?: 'do' | 'end';
  readonly by: string;
  readonly decisions: readonly Decision[];
  readonly inlineLeft: number;
  readonly again?: { readonly from: number; readonly attempt: number };
  readonly instanceId: string;
}
export type RowState = 'open' | 'done' | 'skipped' | 'failed';
interface Child {
  readonly kind: 'sleep' | 'job' | 'lane';
  readonly until: number;
  readonly nodeId: string;
  readonly item: number;
  readonly attempt: number;
  readonly to: number;
}

const hash = (text: string): number =>
  Array.from(text).reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0, 7);

export class LedgerModel {
  readonly rows = new Map<string, { state: RowState; attempt: number; until: number; terminal: boolean }>();
  readonly decisions = new Map<string, Decision & { readonly by: string }>();
  readonly children = new Map<string, Child>();
  readonly expansions = new Map<string, { readonly count: number; readonly mode: 'inline' | 'lanes' }>();
  control: 'none' | 'suspend' | 'cancel' = 'none';
  stopping: string | null = null;
  ended = false;
  seq = 0;
  readonly #plan: RandomSchedule;
  readonly #seed: number;
  readonly #now: () => number;

  constructor(plan: RandomSchedule, seed: number, now: () => number) {
    this.#plan = plan;
    this.#seed = seed;
    this.#now = now;
  }

  get over(): boolean {
    return this.control === 'cancel' || this.stopping !== null || this.ended;
  }

  planOf(nodeId: string): NodePlan {
    const plan = this.#plan.plans[this.#plan.schedule.nodes.findIndex(({ id }) => id === nodeId)];
    if (plan === undefined) throw new Error(`no node ${nodeId}`);
    return plan;
  }

  answer({ name, input }: Call): unknown {
    const request = input as Input;
    switch (name) {
      case 'node1':
        return this.#node(request);
      case 'expand1':
        return this.#expand(request);
      case 'gather1':
        return this.#gather(request);
      case 'stop1':
        this.#write(request);
        if (this.stopping === null) {
          this.stopping = 'TOOL_FAILED';
          this.seq += 1;
        }
        return { version: 1, seq: this.seq };
      case 'control1':
        return this.#control(request.by);
      case 'lanePart1':
        return this.#lanePart(request.instanceId);
      case 'sleepStep1':
        return this.#sleepStep(request.instanceId);
      case 'jobStep1':
        return this.#jobStep(request.instanceId);
      default:
        throw new Error(`unexpected activity ${name}`);
    }
  }

  #write({ by, decisions }: Input): void {
    for (const decision of decisions) this.decisions.set(`${by}:${String(decision.seq)}`, { ...decision, by });
  }

  #roll(text: string): number {
    return new Random(this.#seed ^ hash(text)).next();
  }

  #named({ nodeId, item = -1, attempt }: Pick<Input, 'nodeId' | 'item' | 'attempt'>): Record<string, unknown> {
    return { version: 1, nodeId, item, attempt };
  }

  #refusal(request: Input): unknown {
    if (this.over)
      return {
        ...this.#named(request),
        state: 'failed',
        error: { code: 'CANCELLED', class: 'permanent', message: '' },
      };
    if (this.control === 'suspend') return { ...this.#named(request), state: 'held' };
    return null;
  }

  #row(request: Pick<Input, 'nodeId' | 'item'>): {
    state: RowState;
    attempt: number;
    until: number;
    terminal: boolean;
  } {
    const key = `${request.nodeId}:${String(request.item ?? -1)}`;
    const row = this.rows.get(key) ?? { state: 'open', attempt: 0, until: 0, terminal: false };
    this.rows.set(key, row);
    return row;
  }

  #child(request: Input, kind: 'sleep' | 'job', nodeId: string, until: number): string {
    const ids = { nodeId, item: request.item ?? -1, revision: 1, attempt: request.attempt };
    const instanceId = childInstanceId('run-1', ids);
    this.children.set(instanceId, {
      kind,
      until,
      nodeId: request.nodeId,
      item: ids.item,
      attempt: ids.attempt,
      to: -1,
    });
    return instanceId;
  }

  #node(request: Input): unknown {
    const plan = this.planOf(request.nodeId);
    if (request.phase === 'end') return this.#endOfWait(request);
    const refusal = this.#refusal(request);
    if (refusal !== null) return refusal;
    this.#write(request);
    const row = this.#row(request);
    row.attempt = request.attempt;
    const key = `${request.nodeId}:${String(request.item)}`;
    if (plan.conditional && this.#roll(`when ${key}`) < 0.4) {
      row.state = 'skipped';
      return { ...this.#named(request), state: 'skipped', reason: 'when' };
    }
    if (plan.kind === 'wait') {
      const days = this.#roll(`days ${key}`) < 0.3 ? 6 : 0;
      row.until = this.#now() + days * 86_400_000 + Math.floor(this.#roll(`wait ${key}`) * 60_000);
      const instanceId = this.#child(request, 'sleep', request.nodeId, row.until);
      return { ...this.#named(request), state: 'wait', until: row.until, instanceId };
    }
    if (plan.kind === 'job')
      return {
        ...this.#named(request),
        state: 'job',
        instanceId: this.#child(request, 'job', request.nodeId, this.#now() + 30_000),
      };
    return this.#outcome(request);
  }

  #endOfWait(request: Input): unknown {
    this.#write(request);
    const row = this.#row(request);
    if (this.#now() < row.until)
      return {
        ...this.#named(request),
        state: 'wait',
        until: row.until,
        instanceId: this.#child(request, 'sleep', request.nodeId, row.until),
      };
    return this.#outcome(request);
  }

  /** The tool runs: done, or one of the failures. */
  #outcome(request: Input): unknown {
    const row = this.#row(request);
    const roll = this.#roll(`${request.nodeId}:${String(request.item)}:${String(request.attempt)}`);
    const fail = (errorClass: string, more: Record<string, unknown> = {}): unknown => {
      row.state = 'failed';
      row.terminal = errorClass === 'permanent';
      return {
        ...this.#named(request),
        state: 'failed',
        error: { code: 'TOOL_FAILED', class: errorClass, message: 'scripted' },
        ...more,
      };
    };
    if (roll < 0.04) return fail('permanent');
    if (roll < 0.2) {
      if (request.attempt < 3) return fail('transient');
      const until = this.#now() + 5_000;
      return fail('transient', {
        backoff: { until, instanceId: this.#child(request, 'sleep', `$backoff:${request.nodeId}`, until) },
      });
    }
    row.state = 'done';
    return { ...this.#named(request), state: 'done', outputs: {} };
  }

  #expand(request: Input): unknown {
    const { schedule } = this.#plan;
    const group = schedule.groups?.find(({ members }) => schedule.nodes[members[0] ?? -1]?.id === request.nodeId);
    if (group === undefined) throw new Error(`${request.nodeId} heads no group`);
    const known = this.expansions.get(request.nodeId);
    const members = group.members.length;
    if (known === undefined) {
      const refusal = this.#refusal(request);
      if (refusal !== null) return refusal;
      const { items: count, lanes } = this.planOf(request.nodeId);
      const mode = !lanes && count * members <= request.inlineLeft ? 'inline' : 'lanes';
      this.expansions.set(request.nodeId, { count, mode });
    }
    const { count, mode } = this.expansions.get(request.nodeId) ?? { count: 0, mode: 'inline' as const };
    this.#write(request);
    for (const { from, to } of mode === 'lanes' ? laneChunks(count, schedule.window, members) : []) {
      const attempt = request.again?.from === from ? request.again.attempt : 1;
      const instanceId = laneInstanceId('run-1', { nodeId: request.nodeId, item: from, revision: 1, attempt });
      this.children.set(instanceId, { kind: 'lane', until: 0, nodeId: request.nodeId, item: from, attempt, to });
    }
    return { ...this.#named(request), state: 'expanded', count, mode };
  }

  #gather(request: Input): unknown {
    const refusal = this.#refusal(request);
    if (refusal !== null) return refusal;
    this.#write(request);
    const row = this.#row(request);
    row.attempt = request.attempt;
    row.state = 'done';
    return { ...this.#named(request), state: 'done', outputs: {} };
  }

  #control(by: string): unknown {
    const answer = { version: 1, control: this.ended ? 'cancel' : this.control, seq: this.seq };
    if (this.stopping !== null) return { ...answer, control: 'none', stopping: this.stopping };
    if (this.control !== 'suspend') return answer;
    const instanceId = childInstanceId('run-1', { nodeId: `$hold:${by}`, item: -1, revision: 1, attempt: this.seq });
    this.children.set(instanceId, {
      kind: 'sleep',
      until: Infinity,
      nodeId: '$hold',
      item: -1,
      attempt: this.seq,
      to: -1,
    });
    return { ...answer, hold: { instanceId } };
  }

  #lanePart(instanceId: string): unknown {
    const child = this.children.get(instanceId);
    if (child?.kind !== 'lane' || this.over) return { version: 1, go: false, reason: 'stopped' };
    const { schedule } = this.#plan;
    const group = schedule.groups?.find(({ members }) => schedule.nodes[members[0] ?? -1]?.id === child.nodeId);
    const own = ownSchedule(schedule, group?.members ?? []);
    return {
      version: 1,
      go: true,
      schedule: own,
      from: child.item,
      to: child.to,
      controlSeq: this.seq,
      attempt: child.attempt,
    };
  }

  #sleepStep(instanceId: string): unknown {
    const end = (reason: string): unknown => ({ version: 1, state: 'end', reason });
    const child = this.children.get(instanceId);
    if (child?.kind !== 'sleep') return end('unexpected');
    if (this.over) return end('stopped');
    if (child.nodeId === '$hold' && this.control !== 'suspend') return end('resumed');
    if (this.#now() >= this.#plan.schedule.deadlineAt) return end('deadline');
    if (this.#now() >= child.until) return end('due');
    return { version: 1, state: 'wait', until: Math.min(child.until, this.#plan.schedule.deadlineAt), seq: this.seq };
  }

  #jobStep(instanceId: string): unknown {
    const child = this.children.get(instanceId);
    if (child?.kind !== 'job') return { version: 1, state: 'end', reason: 'unexpected' };
    const request = { ...child, by: '', decisions: [], inlineLeft: 0, instanceId } as unknown as Input;
    if (this.over) {
      this.#row(request).state = 'failed';
      const error = { code: 'CANCELLED', class: 'unknown', message: 'the job was given up' };
      const result = { ...this.#named(child), state: 'failed', error };
      return { version: 1, state: 'end', reason: 'settled', result };
    }
    if (this.#now() < child.until) return { version: 1, state: 'wait', until: child.until, seq: this.seq };
    return { version: 1, state: 'end', reason: 'settled', result: this.#outcome(request) };
  }
}
