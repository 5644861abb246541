/**
 * The verbs over a plain `Task.any` loop, as everybody writes them first. Wrong on the real extension (activities run
 * again, results are bound to other nodes); kept as the negative control of the proof, never to be used.
 */
import type { OrchestrationContext, Task } from 'durable-functions';
import type { Pending, Step, Timer, Verbs } from '../../../src/orchestration/verbs.ts';

export function naiveVerbs(context: OrchestrationContext): Verbs {
  const { df } = context;
  const tasks = new Map<Pending, Task>();
  const adopt = <P extends Pending>(task: Task, pending: Omit<P, 'outcome'>): P => {
    const adopted = {
      ...pending,
      outcome: () => {
        if (task.isCompleted) return { ok: true, value: task.result };
        return task.isFaulted ? { ok: false, message: String(task.result) } : undefined;
      },
    } as P;
    tasks.set(adopted, task);
    return adopted;
  };
  return {
    now: () => df.currentUtcDateTime.getTime(),
    activity: (name, input) => adopt(df.callActivity(name, input), { kind: 'activity', label: name }),
    child: (name, id, input) => adopt(df.callSubOrchestrator(name, input, id), { kind: 'child', label: name }),
    event: (name) => adopt(df.waitForExternalEvent(name), { kind: 'event', label: name }),
    time: (at) => {
      const timer = df.createTimer(new Date(at));
      return adopt<Timer>(timer, { kind: 'time', label: String(at), cancel: () => timer.cancel() });
    },
    reaches: () => true,
    status: () => undefined,
    *firstOf(open): Step<Pending> {
      const first = yield df.Task.any(open.map((pending) => tasks.get(pending)).filter((task) => task !== undefined));
      const found = open.find((pending) => tasks.get(pending) === first);
      if (found === undefined) throw new Error('Task.any returned another task.');
      return found;
    },
  };
}
