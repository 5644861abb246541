/** Events, continue-as-new, suspend, terminate and failures on the pure engine with the real SDK. */
import { describe, expect, it } from 'vitest';
import { EventType, messageBase } from '../../../../src/local/host/durable/events.ts';
import { HostModel } from '../../../support/hostModel/model.ts';
import type { Body } from '../../../support/hostModel/sdk.ts';

const model = (bodies: Record<string, Body>): HostModel => new HostModel(new Map(Object.entries(bodies)));
const suspend = (host: HostModel, id: string, reason = 'why'): void =>
  host.send(id, { ...messageBase(host.now), EventType: EventType.ExecutionSuspended, Reason: reason });
const resume = (host: HostModel, id: string): void =>
  host.send(id, { ...messageBase(host.now), EventType: EventType.ExecutionResumed, Reason: null });
const terminate = (host: HostModel, id: string, reason: string): void =>
  host.send(id, { ...messageBase(host.now), EventType: EventType.ExecutionTerminated, Input: reason });
async function finishAll(host: HostModel): Promise<void> {
  for (const activity of [...host.activities]) host.finish(activity, { value: activity.input ?? null });
  await host.settle();
}

describe('external events', () => {
  const twice: Body = function* (context) {
    const first: unknown = yield context.df.waitForExternalEvent('e');
    yield context.df.callActivity('a');
    return [first, yield context.df.waitForExternalEvent('e')];
  };

  it('early and repeated events are buffered, oldest first', async () => {
    const host = model({ twice });
    const instance = host.start('twice', 'i', null);
    host.raise('i', 'e', 1);
    host.raise('i', 'e', 2);
    await host.settle();
    await finishAll(host);
    expect(instance).toMatchObject({ status: 'Completed', output: '[1,2]' });
  });

  it('Q14 a name in another case is taken by the engine and never reaches the code: the instance waits for the exact one', async () => {
    const host = model({
      *body(context) {
        return yield context.df.waitForExternalEvent('Approval');
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    host.raise('i', 'approval', 1);
    await host.settle();
    expect(instance.status).toBe('Running');
    host.raise('i', 'Approval', 2);
    await host.settle();
    expect(instance).toMatchObject({ status: 'Completed', output: '2' });
  });

  it('Q16 several waiters of one name: the newest is served first', async () => {
    const host = model({
      *body(context) {
        const a = context.df.waitForExternalEvent('e');
        const b = context.df.waitForExternalEvent('e');
        yield context.df.Task.all([a, b]);
        return [a.result, b.result];
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    host.raise('i', 'e', 'first');
    host.raise('i', 'e', 'second');
    await host.settle();
    expect(instance.output).toBe('["second","first"]');
  });
});

describe('continue as new', () => {
  /** Waits for `e`, goes on to the next generation, and answers with the event that that one gets. */
  const relay: Body = function* (context) {
    const { round } = context.df.getInput<{ round: number }>();
    if (round === 0) yield context.df.callActivity('a');
    const value: unknown = yield context.df.waitForExternalEvent('e');
    if (round === 1) return value;
    context.df.continueAsNew({ round: 1 });
    return undefined;
  };

  it('Q3 Q26 restarts numbers and history, and gives a text extra quotes', async () => {
    const host = model({
      *body(context) {
        const input = context.df.getInput<string>();
        if (input !== 'x') return [input, yield context.df.callActivity('b', 'y')];
        yield context.df.callActivity('a');
        context.df.continueAsNew('x');
        return undefined;
      },
    });
    const instance = host.start('body', 'i', '"x"');
    await host.settle();
    await finishAll(host);
    expect(host.activities.map((a) => [a.name, a.taskId])).toEqual([['b', 0]]);
    expect(instance.history.map((e) => e.EventType)).toEqual([12, 0, 4, 13]);
    await finishAll(host);
    expect((JSON.parse(instance.output ?? '') as unknown[])[0]).toBe('"x"');
  });

  it('carries events that come later in the batch than the call', async () => {
    const host = model({ relay });
    const instance = host.start('relay', 'i', '{"round":0}');
    await host.settle();
    await finishAll(host);
    host.raise('i', 'e', 1);
    host.raise('i', 'e', 2);
    await host.settle();
    expect(instance).toMatchObject({ status: 'Completed', output: '2' });
  });

  it('loses events that were buffered before the call, as on the engine', async () => {
    const host = model({ relay });
    const instance = host.start('relay', 'i', '{"round":0}');
    await host.settle();
    host.raise('i', 'e', 1);
    host.raise('i', 'e', 2);
    await host.settle();
    await finishAll(host);
    expect(instance.status).toBe('Running');
    host.raise('i', 'e', 3);
    await host.settle();
    expect(instance.output).toBe('3');
  });

  it('drops late completions of the old generation', async () => {
    const host = model({
      *body(context) {
        const { round } = context.df.getInput<{ round: number }>();
        if (round > 0) return yield context.df.callActivity('b');
        context.df.continueAsNew({ round: 1 });
        return undefined;
      },
    });
    const instance = host.start('body', 'i', '{"round":0}');
    const old = instance.executionId;
    await host.settle();
    expect(instance.executionId).not.toBe(old);
    host.send(
      'i',
      { ...messageBase(host.now), EventType: EventType.TaskCompleted, TaskScheduledId: 0, Result: '"old"' },
      old,
    );
    await host.settle();
    await finishAll(host);
    expect(instance).toMatchObject({ status: 'Completed', output: 'null' });
  });
});

describe('suspend and terminate', () => {
  const body: Body = function* (context) {
    yield context.df.waitForExternalEvent('go');
    return yield context.df.callActivity('a', 'x');
  };

  it('Q20 while suspended nothing new is scheduled; the reason is the output; resume replays what was queued', async () => {
    const host = model({ body });
    const instance = host.start('body', 'i', null);
    await host.settle();
    suspend(host, 'i', 'lunch');
    host.raise('i', 'go', 1);
    await host.settle();
    expect(instance).toMatchObject({ status: 'Suspended', output: 'lunch' });
    expect(host.activities).toEqual([]);
    resume(host, 'i');
    await host.settle();
    expect(host.activities).toHaveLength(1);
    await finishAll(host);
    expect(instance.status).toBe('Completed');
  });

  it('work asked for in the batch of the suspend is held back, then scheduled with the same id', async () => {
    const host = model({ body });
    const instance = host.start('body', 'i', null);
    host.raise('i', 'go', 1);
    suspend(host, 'i');
    await host.settle();
    expect([instance.status, host.activities.length]).toEqual(['Suspended', 0]);
    resume(host, 'i');
    await host.settle();
    expect(host.activities.map((a) => a.taskId)).toEqual([0]);
  });

  it('terminate works on a suspended instance and ends it with the reason', async () => {
    const host = model({ body });
    const instance = host.start('body', 'i', null);
    await host.settle();
    suspend(host, 'i');
    await host.settle();
    terminate(host, 'i', 'enough');
    await host.settle();
    expect(instance).toMatchObject({ status: 'Terminated', output: 'enough' });
  });

  it('Q21 terminate does not reach children: they run on, and their end is dropped', async () => {
    const host = model({
      *parent(context) {
        return yield context.df.callSubOrchestrator('body', null, 'child');
      },
      body,
    });
    const parent = host.start('parent', 'p', null);
    await host.settle();
    terminate(host, 'p', 'stop');
    await host.settle();
    host.raise('child', 'go', 1);
    await host.settle();
    await finishAll(host);
    expect(host.instances.get('child')?.status).toBe('Completed');
    expect(parent).toMatchObject({ status: 'Terminated', output: 'stop' });
  });

  it('Q21 a terminated child fails its parent in a way that user code cannot catch', async () => {
    const host = model({
      *parent(context) {
        try {
          return yield context.df.callSubOrchestrator('body', null, 'child');
        } catch {
          return 'caught';
        }
      },
      body,
    });
    const parent = host.start('parent', 'p', null);
    await host.settle();
    terminate(host, 'child', 'away with it');
    await host.settle();
    expect(parent).toMatchObject({ status: 'Failed' });
    // As recorded on the engine: the SDK's own error is lost, and with it the actions.
    expect(parent.output).toMatch(/^Non-Deterministic workflow detected: .* sub-orchestration task .* 'child'/);
    expect(parent.problems.join()).toMatch(/could not parse its exception data/);
  });
});

describe('failures and refusals', () => {
  it('Q11 an error without a message fails as on the engine, and is reported', async () => {
    const host = model({
      // eslint-disable-next-line require-yield -- fails at once
      *body() {
        throw new Error('');
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    expect(instance.status).toBe('Failed');
    expect(instance.output).toMatch(
      /^Orchestrator function 'body' failed: One or more errors occurred\. \(Result: Failure/,
    );
    expect(instance.problems.join()).toMatch(/Q11/);
  });

  it('continueAsNew and then an error is a failure', async () => {
    const host = model({
      *body(context) {
        yield context.df.callActivity('a');
        context.df.continueAsNew(1);
        throw new Error('after all');
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finishAll(host);
    expect(instance.status).toBe('Failed');
  });

  it('refuses callHttp by name', async () => {
    const host = model({
      *body(context) {
        return yield context.df.callHttp({ method: 'GET', url: 'http://localhost/' });
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    expect(instance).toMatchObject({ status: 'Failed', output: expect.stringMatching(/does not support callHttp/) });
  });

  it('Q1 isReplaying is true in old parts of the history only', async () => {
    const seen: string[] = [];
    const host = model({
      *body(context) {
        seen.push(`start ${context.df.isReplaying}`);
        yield context.df.callActivity('a');
        seen.push(`after a ${context.df.isReplaying}`);
        yield context.df.callActivity('b');
        seen.push(`after b ${context.df.isReplaying}`);
      },
    });
    host.start('body', 'i', null);
    await host.settle();
    await finishAll(host);
    await finishAll(host);
    expect(seen).toEqual(['start false', 'start true', 'after a false', 'start true', 'after a true', 'after b false']);
  });

  it('Q34 a timer that is delivered early by the clock sees a time not before its own', async () => {
    const host = model({
      *body(context) {
        const at = new Date(context.df.currentUtcDateTime.getTime() + 7 * 86_400_000);
        yield context.df.createTimer(at);
        return context.df.currentUtcDateTime >= at;
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    while (instance.status === 'Running') {
      const message = instance.inbox[0];
      if (message === undefined) throw new Error('no timer');
      host.now = message.due - 5;
      instance.inbox = [{ ...message, due: host.now }];
      await host.settle();
    }
    expect(instance.output).toBe('true');
  });
});
