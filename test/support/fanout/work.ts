/** Inputs and results of the activities and children: each result names its node, so that a mix-up shows. */
import type { GraphNode } from './graph.ts';

// Type aliases, because they are passed as JSON.
export type WorkInput = { readonly run: string; readonly key: string; readonly ms: number; readonly fails: boolean };
export type WorkResult = { readonly key: string; readonly token: string };
export type ChildInput = {
  readonly run: string;
  readonly node: string;
  readonly steps: number;
  readonly fails: boolean;
};

/** The result that belongs to one activity of one run, and to no other. */
export function token(run: string, key: string): string {
  let hash = 0x811c9dc5;
  for (const unit of `${run}|${key}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return `${key}#${hash.toString(16)}`;
}

/** What the activity returns; throws for a node that is meant to fail. */
export function activityResult(input: WorkInput): WorkResult {
  if (input.fails) throw new Error(`meant to fail: ${input.key}`);
  return { key: input.key, token: token(input.run, input.key) };
}

export function workInput(run: string, node: GraphNode): WorkInput {
  return { run, key: node.id, ms: node.workMs, fails: node.fails };
}
