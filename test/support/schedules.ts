import type { Schedule } from '../../src/orchestration/schedule.ts';

/** A schedule from `id: [predecessors]`; nodes sorted by id as the validator compiles them. */
export function scheduleOf(
  graph: Readonly<Record<string, readonly string[]>>,
  more: {
    readonly window?: number;
    readonly seconds?: Readonly<Record<string, number>>;
    readonly attempts?: number;
    readonly deadlineAt?: number;
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
    })),
  };
}

/** What `node1` answers on success for the input it was called with. */
export function succeeded(input: unknown): unknown {
  const { nodeId, item, attempt } = input as { nodeId: string; item: number; attempt: number };
  return { version: 1, ok: true, nodeId, item, attempt, outputs: { out: `art_${nodeId}` } };
}

/** What `node1` answers on failure. */
export function failed(
  input: unknown,
  errorClass: string,
  more: { readonly code?: string; readonly retryAfterMs?: number } = {},
): unknown {
  const { nodeId, item, attempt } = input as { nodeId: string; item: number; attempt: number };
  const error = {
    code: more.code ?? 'TOOL_FAILED',
    class: errorClass,
    message: `${nodeId} failed`,
    ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: more.retryAfterMs }),
  };
  return { version: 1, ok: false, nodeId, item, attempt, error };
}
