import type { Schedule } from '../../src/orchestration/schedule.ts';

/** A schedule from `id: [predecessors]`; nodes sorted by id as the validator compiles them. */
export function scheduleOf(
  graph: Readonly<Record<string, readonly string[]>>,
  more: {
    readonly window?: number;
    readonly seconds?: Readonly<Record<string, number>>;
    readonly attempts?: number;
    readonly deadlineAt?: number;
    /** What a node is more than an id with edges; `needs` by id. */
    readonly nodes?: Readonly<Record<string, { readonly needs?: readonly string[]; readonly soft?: true }>>;
    /** `forEach` groups: members by id, head first. */
    readonly groups?: readonly (readonly string[])[];
    readonly maxItems?: number;
  } = {},
): Schedule {
  const ids = Object.keys(graph).sort();
  return {
    version: 1,
    runId: 'run-1',
    revision: 0,
    warrant: 'a'.repeat(64),
    deadlineAt: more.deadlineAt ?? Date.UTC(2026, 0, 5) + 3_600_000,
    window: more.window ?? 8,
    nodes: ids.map((id) => ({
      id,
      after: (graph[id] ?? []).map((before) => ids.indexOf(before)).sort((a, b) => a - b),
      seconds: more.seconds?.[id] ?? 1,
      attempts: more.attempts ?? 3,
      ...(more.nodes?.[id]?.needs === undefined
        ? {}
        : { needs: more.nodes[id].needs.map((need) => ids.indexOf(need)).sort((a, b) => a - b) }),
      ...(more.nodes?.[id]?.soft === undefined ? {} : { soft: true as const }),
      ...groupOf(id, more.groups ?? []),
    })),
    ...(more.groups === undefined
      ? {}
      : {
          groups: more.groups.map((members) => ({
            members: members.map((id) => ids.indexOf(id)),
            maxItems: more.maxItems ?? 10_000,
          })),
        }),
  };
}

function groupOf(id: string, groups: readonly (readonly string[])[]): { readonly group?: number } {
  const at = groups.findIndex((members) => members.includes(id));
  return at < 0 ? {} : { group: at };
}

interface Named {
  readonly nodeId: string;
  readonly item?: number;
  readonly attempt: number;
}

function named(input: unknown): { version: 1; nodeId: string; item: number; attempt: number } {
  const { nodeId, item, attempt } = input as Named;
  return { version: 1, nodeId, item: item ?? -1, attempt };
}

/** What `node1` or `gather1` answers on success for the input it was called with. */
export function succeeded(input: unknown): Record<string, unknown> {
  const own = named(input);
  return { ...own, state: 'done', outputs: { out: `art_${own.nodeId}` } };
}

/** What `node1` answers when its `when` was false, the run is suspended, or it is a wait or a job. */
export const skipped = (input: unknown): unknown => ({ ...named(input), state: 'skipped', reason: 'when' });
export const held = (input: unknown): unknown => ({ ...named(input), state: 'held' });
export const waits = (input: unknown, until: number, instanceId: string): unknown => ({
  ...named(input),
  state: 'wait',
  until,
  instanceId,
});
export const becomesJob = (input: unknown, instanceId: string): unknown => ({
  ...named(input),
  state: 'job',
  instanceId,
});

/** What `expand1` answers. */
export const expanded = (input: unknown, count: number, mode: 'inline' | 'lanes'): unknown => ({
  ...named(input),
  state: 'expanded',
  count,
  mode,
});

/** What any of them answers on failure. */
export function failed(
  input: unknown,
  errorClass: string,
  more: {
    readonly code?: string;
    readonly retryAfterMs?: number;
    readonly backoff?: { readonly instanceId: string; readonly until: number };
  } = {},
): unknown {
  const own = named(input);
  const error = {
    code: more.code ?? 'TOOL_FAILED',
    class: errorClass,
    message: `${own.nodeId} failed`,
    ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: more.retryAfterMs }),
  };
  return { ...own, state: 'failed', error, ...(more.backoff === undefined ? {} : { backoff: more.backoff }) };
}
