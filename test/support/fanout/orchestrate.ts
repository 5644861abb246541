/** The orchestrator bodies over the four verbs: the same sliding window as the interpreter, with a record of results. */
import type { Pending, Step, Timer, Verbs } from '../../../src/orchestration/verbs.ts';
import { CHILD, WORK } from './graph.ts';
import type { Graph, GraphNode } from './graph.ts';
import { token, workInput } from './work.ts';
import type { ChildInput, WorkInput } from './work.ts';

/** How a node ended; `late` is the result of work that had lost its race. */
export interface Finish {
  readonly node: string;
  readonly how: 'work' | 'limit' | 'late' | 'failed' | 'lateFailed';
  readonly value: unknown;
}

export interface FanoutOutput {
  readonly run: string;
  readonly seed: number;
  readonly finishes: readonly Finish[];
  /** Largest number of activities and children open at once. */
  readonly maxOpen: number;
}

interface Open {
  readonly node: GraphNode;
  readonly role: 'work' | 'limit' | 'late';
}

const holdsSlot = (node: GraphNode): boolean => node.work === 'activity' || node.work === 'child';

function start(verbs: Verbs, run: string, node: GraphNode): Pending {
  switch (node.work) {
    case 'activity':
      return verbs.activity(WORK, workInput(run, node));
    case 'child':
      return verbs.child(CHILD, `${run}-${node.id}`, { run, node: node.id, steps: node.steps, fails: node.fails });
    case 'event':
      return verbs.event(node.event);
    case 'timer':
      return verbs.time(verbs.now() + node.timerMs);
  }
}

/** Runs the whole graph; ends when every node is done and every loser of a race that can't be cancelled has arrived. */
export function* runGraph(verbs: Verbs, run: string, graph: Graph): Step<FanoutOutput> {
  const open = new Map<Pending, Open>();
  const limits = new Map<string, Timer>();
  const works = new Map<string, Pending>();
  const done = new Set<string>();
  const started = new Set<string>();
  const finishes: Finish[] = [];
  let slots = 0;
  let maxOpen = 0;

  const startReady = (): void => {
    for (const node of graph.nodes) {
      if (started.has(node.id) || !node.after.every((id) => done.has(id))) continue;
      if (holdsSlot(node) && slots >= graph.window) continue;
      started.add(node.id);
      if (holdsSlot(node)) maxOpen = Math.max(maxOpen, ++slots);
      const work = start(verbs, run, node);
      open.set(work, { node, role: 'work' });
      works.set(node.id, work);
      if (node.kind !== 'race') continue;
      const limit = verbs.time(verbs.now() + node.timerMs);
      limits.set(node.id, limit);
      open.set(limit, { node, role: 'limit' });
    }
  };

  const settle = (pending: Pending, { node, role }: Open): void => {
    open.delete(pending);
    const outcome = pending.outcome();
    if (outcome === undefined) throw new Error(`firstOf returned ${node.id} without an outcome`);
    if (role !== 'limit' && holdsSlot(node)) slots--;
    const value = outcome.ok ? (outcome.value ?? null) : outcome.message;
    if (role === 'late') {
      finishes.push({ node: node.id, how: outcome.ok ? 'late' : 'lateFailed', value });
      return;
    }
    done.add(node.id);
    if (role === 'limit') {
      finishes.push({ node: node.id, how: 'limit', value });
      const work = works.get(node.id);
      if (work !== undefined) open.set(work, { node, role: 'late' });
      return;
    }
    finishes.push({ node: node.id, how: outcome.ok ? 'work' : 'failed', value });
    const limit = limits.get(node.id);
    if (limit === undefined) return;
    limit.cancel();
    open.delete(limit);
  };

  for (;;) {
    startReady();
    if (open.size === 0) return { run, seed: graph.seed, finishes, maxOpen };
    const first = yield* verbs.firstOf([...open.keys()]);
    const entry = open.get(first);
    if (entry === undefined) throw new Error(`firstOf returned something that was not open: ${first.label}`);
    settle(first, entry);
  }
}

/** A child: its activities all at once, then one result that names the node. Throws when it is meant to fail. */
export function* runChild(verbs: Verbs, input: ChildInput): Step<{ key: string; token: string; steps: unknown[] }> {
  const open = new Map<Pending, number>();
  const steps: unknown[] = Array.from({ length: input.steps }, () => null);
  for (let i = 0; i < input.steps; i++) {
    const work: WorkInput = { run: input.run, key: `${input.node}/${i}`, ms: 0, fails: false };
    open.set(verbs.activity(WORK, work), i);
  }
  while (open.size > 0) {
    const first = yield* verbs.firstOf([...open.keys()]);
    const outcome = first.outcome();
    steps[open.get(first) ?? -1] = outcome?.ok === true ? outcome.value : null;
    open.delete(first);
  }
  if (input.fails) throw new Error(`meant to fail: ${input.node}`);
  return { key: input.node, token: token(input.run, input.node), steps };
}
