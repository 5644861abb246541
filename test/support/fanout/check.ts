/** The oracle: what must hold of every run of a graph, whatever the timing was. */
import { activityKeys } from './graph.ts';
import type { Graph, GraphNode } from './graph.ts';
import type { FanoutOutput, Finish } from './orchestrate.ts';
import { token } from './work.ts';

/** One execution of an activity, with times in milliseconds of any one clock. */
export interface Execution {
  readonly run: string;
  readonly key: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

const isWork = (finish: Finish): boolean => finish.how !== 'limit';

function checkValue(run: string, node: GraphNode, finish: Finish): string | undefined {
  const failed = finish.how === 'failed' || finish.how === 'lateFailed';
  if (node.work === 'timer' || finish.how === 'limit') return failed ? 'a timer failed' : undefined;
  if (failed !== node.fails) return `should ${node.fails ? 'fail' : 'succeed'}`;
  if (node.work === 'event') return typeof finish.value === 'number' ? undefined : 'an event without its value';
  if (failed)
    return String(finish.value).includes(`meant to fail: ${node.id}`) ? undefined : 'the error of another node';
  const value = finish.value as { key?: unknown; token?: unknown; steps?: unknown[] } | null;
  if (value?.key !== node.id || value.token !== token(run, node.id)) return 'the result of another node';
  if (node.work !== 'child') return undefined;
  const steps = (value.steps ?? []).map((step) => (step as { token?: unknown } | null)?.token);
  const expected = Array.from({ length: node.steps }, (_, i) => token(run, `${node.id}/${i}`));
  return JSON.stringify(steps) === JSON.stringify(expected) ? undefined : 'a child with the wrong steps';
}

function checkNode(run: string, node: GraphNode, finishes: readonly Finish[]): string[] {
  const problems: string[] = [];
  const works = finishes.filter(isWork);
  if (works.length !== 1) problems.push(`${works.length} results of the work`);
  if (node.kind !== 'race' && finishes.length !== 1) problems.push(`finished ${finishes.length} times`);
  if (node.kind === 'race') {
    const hows = finishes.map((finish) => finish.how).join(',');
    if (!/^(work|failed|limit,(late|lateFailed))$/.test(hows)) problems.push(`a race that ended as ${hows}`);
    if (node.timerMs >= 3_600_000 && hows.startsWith('limit')) problems.push('a timer of an hour won');
  }
  for (const finish of finishes) {
    const problem = checkValue(run, node, finish);
    if (problem !== undefined) problems.push(`${problem}: ${JSON.stringify(finish)}`);
  }
  return problems.map((problem) => `${node.id} (${node.kind}/${node.work}): ${problem}`);
}

/** A node must not finish before what it waits for. */
function checkOrder(graph: Graph, finishes: readonly Finish[]): string[] {
  const position = new Map<string, number>();
  finishes.forEach((finish, i) => {
    if (!finish.how.startsWith('late')) position.set(finish.node, i);
  });
  return graph.nodes.flatMap((node) =>
    node.after
      .filter((before) => (position.get(before) ?? Infinity) > (position.get(node.id) ?? -1))
      .map((before) => `${node.id} finished before ${before}`),
  );
}

function checkEvents(graph: Graph, finishes: readonly Finish[]): string[] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const names = [...new Set(graph.events.map((event) => event.name))];
  return names.flatMap((name) => {
    const raised = graph.events.filter((event) => event.name === name).map((event) => event.value);
    const got = finishes
      .filter((finish) => isWork(finish) && nodes.get(finish.node)?.event === name)
      .map((finish) => finish.value);
    const text = (values: readonly unknown[]): string =>
      [...values]
        .map(Number)
        .sort((a, b) => a - b)
        .join(',');
    return text(raised) === text(got) ? [] : [`event ${name}: raised ${text(raised)}, received ${text(got)}`];
  });
}

/** [] when every node ended once with its own result, in order, within the window; otherwise what is wrong. */
export function checkResult(graph: Graph, output: unknown): string[] {
  const result = output as Partial<FanoutOutput> | null | undefined;
  if (result?.finishes === undefined || result.run === undefined || result.maxOpen === undefined) {
    return [`no result: ${JSON.stringify(output ?? null).slice(0, 300)}`];
  }
  const { finishes, run } = result;
  const problems = graph.nodes.flatMap((node) =>
    checkNode(
      run,
      node,
      finishes.filter((finish) => finish.node === node.id),
    ),
  );
  if (result.maxOpen > graph.window) problems.push(`window ${graph.window}, ${result.maxOpen} open`);
  return [...problems, ...checkOrder(graph, finishes), ...checkEvents(graph, finishes)];
}

/** [] when exactly the activities of the graph ran, each once, and those outside children never above the window. */
export function checkExecutions(graph: Graph, executions: readonly Execution[]): string[] {
  const counts = new Map<string, number>();
  for (const { key } of executions) counts.set(key, (counts.get(key) ?? 0) + 1);
  const expected = new Set(activityKeys(graph));
  const problems = [...expected]
    .filter((key) => counts.get(key) !== 1)
    .map((key) => `activity ${key} ran ${counts.get(key) ?? 0} times`);
  for (const key of counts.keys()) if (!expected.has(key)) problems.push(`activity ${key} is not of this graph`);
  const direct = executions.filter(({ key }) => !key.includes('/'));
  const edges = direct.flatMap((e) => [
    { at: e.startedAt, step: 1 },
    { at: e.endedAt, step: -1 },
  ]);
  // At equal times an end counts before a start: the clock is coarser than the engine.
  edges.sort((a, b) => a.at - b.at || a.step - b.step);
  let running = 0;
  let most = 0;
  for (const edge of edges) most = Math.max(most, (running += edge.step));
  if (most > graph.window) problems.push(`window ${graph.window}, ${most} activities at once`);
  return problems;
}
