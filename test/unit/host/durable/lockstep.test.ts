/** The engine stays in step with the real SDK: the same ids, the same end, over hand-driven batches. */
import * as df from 'durable-functions';
import { describe, expect, it } from 'vitest';
import { EventType, messageBase } from '../../../../src/local/host/durable/events.ts';
import { HostModel, type ModelInstance } from '../../../support/hostModel/model.ts';
import type { Body } from '../../../support/hostModel/sdk.ts';

const DAY = 86_400_000;
const NAMES: Readonly<Record<number, string>> = {
  0: 'ES',
  1: 'EC',
  3: 'ET',
  4: 'TS',
  5: 'TC',
  6: 'TF',
  7: 'SC',
  8: 'SD',
  9: 'SF',
  10: 'TMC',
  11: 'TMF',
  12: 'OS',
  13: 'OC',
  15: 'ER',
  19: 'SUS',
  20: 'RES',
};

/** The history as short words: name, and the id that counts for it. */
function words(instance: ModelInstance): string {
  return instance.history
    .filter((e) => e.EventType !== 12 && e.EventType !== 13)
    .map(
      (e) =>
        `${NAMES[e.EventType] ?? '?'}${'TaskScheduledId' in e ? e.TaskScheduledId : 'TimerId' in e ? e.TimerId : e.EventId >= 0 ? e.EventId : ''}`,
    )
    .join(' ');
}

function model(bodies: Record<string, Body>): HostModel {
  return new HostModel(new Map(Object.entries(bodies)));
}

async function finishNext(
  host: HostModel,
  result: { value: unknown } | { failure: string } = { value: 'ok' },
): Promise<void> {
  const [activity] = host.activities;
  if (activity === undefined) throw new Error('no activity is open');
  host.finish(activity, result);
  await host.settle();
}

/** Moves to the next timer and delivers it. */
async function fire(host: HostModel): Promise<void> {
  host.now = host.nextDue() ?? Number.NaN;
  await host.settle();
}

describe('the worked example: any of a timer and an event', () => {
  const body: Body = function* (context) {
    const timer = context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 60_000));
    const approval = context.df.waitForExternalEvent('Approval');
    const first: unknown = yield context.df.Task.any([timer, approval]);
    if (first === timer) return 'late';
    if (context.df.getInput() === 'cancel') timer.cancel();
    return approval.result;
  };

  it('event first, timer cancelled: ends at once, ExecutionCompleted takes id 1', async () => {
    const host = model({ body });
    const instance = host.start('body', 'i', '"cancel"');
    await host.settle();
    expect(words(instance)).toBe('ES TMC0');
    host.raise('i', 'Approval', 'yes');
    await host.settle();
    expect(words(instance)).toBe('ES TMC0 ER EC1');
    expect(instance).toMatchObject({ status: 'Completed', output: '"yes"' });
  });

  it('Q17 event first, timer not cancelled: stays Running until the timer fires', async () => {
    const host = model({ body });
    const instance = host.start('body', 'i', '"keep"');
    await host.settle();
    host.raise('i', 'Approval', 'yes');
    await host.settle();
    expect(instance.status).toBe('Running');
    await fire(host);
    expect(instance).toMatchObject({ status: 'Completed', output: '"yes"' });
  });

  it('timer first', async () => {
    const host = model({ body });
    const instance = host.start('body', 'i', '"cancel"');
    await host.settle();
    await fire(host);
    expect(instance).toMatchObject({ status: 'Completed', output: '"late"' });
    expect(words(instance)).toBe('ES TMC0 TMF0 EC1');
  });
});

describe('ids stay in step with the SDK', () => {
  it('a chain', async () => {
    const host = model({
      *body(context) {
        const results: unknown[] = [];
        for (let i = 0; i < 3; i += 1) results.push(yield context.df.callActivity('a', i));
        return results;
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    for (let i = 0; i < 3; i += 1) await finishNext(host, { value: i * 10 });
    expect(words(instance)).toBe('ES TS0 TC0 TS1 TC1 TS2 TC2 EC3');
    expect(instance.output).toBe('[0,10,20]');
  });

  it('two attempts and exhaustion: a timer after every failure, the last fires at once', async () => {
    const host = model({
      *body(context) {
        try {
          yield context.df.callActivityWithRetry('a', new df.RetryOptions(1_000, 2));
        } catch (error) {
          return (error as Error).message.slice(0, 40);
        }
        return 'no error';
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finishNext(host, { failure: 'one' });
    await fire(host);
    await finishNext(host, { failure: 'two' });
    expect(words(instance)).toBe('ES TS0 TF0 TMC1 TMF1 TS2 TF2 TMC3 TMF3 EC4');
    expect(instance.output).toMatch(/failed: {2}two/);
  });

  it('parallel retries', async () => {
    const host = model({
      *body(context) {
        const retry = new df.RetryOptions(1_000, 3);
        return yield context.df.Task.all([
          context.df.callActivityWithRetry('a', retry, 1),
          context.df.callActivityWithRetry('b', retry, 2),
        ]);
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finishNext(host, { failure: 'a fails' });
    await finishNext(host, { value: 'b' });
    await fire(host);
    await finishNext(host, { value: 'a' });
    expect(instance).toMatchObject({ status: 'Completed', output: '["a","b"]', problems: [] });
  });

  it('children with retry and a failing child whose error is caught', async () => {
    let runs = 0;
    const host = model({
      *body(context) {
        return yield context.df.callSubOrchestratorWithRetry('child', new df.RetryOptions(1_000, 2), null, 'fixed-id');
      },
      *child(context) {
        runs += 1;
        if (runs <= 1) throw new Error('first time');
        return yield context.df.callActivity('a');
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await fire(host);
    await finishNext(host, { value: 'fine' });
    expect(instance).toMatchObject({ status: 'Completed', output: '"fine"' });
    expect(words(instance)).toBe('ES SC0 SF0 TMC1 TMF1 SC2 SD2 EC3');
  });

  it('a child without an id is named by execution and action', async () => {
    const host = model({
      *body(context) {
        yield context.df.callActivity('a');
        return yield context.df.callSubOrchestrator('child');
      },
      // eslint-disable-next-line require-yield -- a child that ends at once
      *child(context) {
        return context.df.parentInstanceId;
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finishNext(host);
    expect([...host.instances.keys()]).toEqual(['i', `${instance.executionId}:1`]);
    expect(instance.output).toBe('"i"');
  });

  it('a timer of ten days: slices at day 3, 6, 9 and 10', async () => {
    const host = model({
      *body(context) {
        yield context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 10 * DAY));
        return yield context.df.callActivity('a');
      },
    });
    const start = host.now;
    const instance = host.start('body', 'i', null);
    await host.settle();
    const days: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      await fire(host);
      days.push((host.now - start) / DAY);
    }
    expect(days).toEqual([3, 6, 9, 10]);
    await finishNext(host);
    expect(words(instance)).toBe('ES TMC0 TMF0 TMC1 TMF1 TMC2 TMF2 TMC3 TMF3 TS4 TC4 EC5');
  });

  it('Q10 a long timer cancelled after its first slice fails as non-deterministic, as on the engine', async () => {
    const host = model({
      *body(context) {
        const timer = context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 30 * DAY));
        yield context.df.Task.any([timer, context.df.waitForExternalEvent('stop')]);
        timer.cancel();
        return yield context.df.callActivity('a');
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await fire(host);
    host.raise('i', 'stop', 1);
    await host.settle();
    expect(instance).toMatchObject({
      status: 'Failed',
      output: expect.stringMatching(/Non-Deterministic workflow detected/),
    });
  });

  it('all with a failing branch waits for the slowest before the next action', async () => {
    const host = model({
      *body(context) {
        try {
          yield context.df.Task.all([context.df.callActivity('fast'), context.df.callActivity('slow')]);
        } catch {
          return yield context.df.callActivity('after');
        }
        return 'no error';
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finishNext(host, { failure: 'fast fails' });
    expect(host.activities.map((a) => a.name)).toEqual(['slow']);
    await finishNext(host);
    expect(host.activities.map((a) => a.name)).toEqual(['after']);
    await finishNext(host, { value: 'done' });
    expect(instance).toMatchObject({ status: 'Completed', output: '"done"' });
    expect(words(instance)).toBe('ES TS0 TS1 TF0 TC1 TS2 TC2 EC3');
  });

  it('a completion that comes twice is kept in history and ignored', async () => {
    const host = model({
      *body(context) {
        yield context.df.callActivity('a');
        return yield context.df.callActivity('b');
      },
    });
    const instance = host.start('body', 'i', null);
    await host.settle();
    await finishNext(host, { value: 1 });
    host.send(
      'i',
      { ...messageBase(host.now), EventType: EventType.TaskCompleted, TaskScheduledId: 0, Result: '"again"' },
      instance.executionId,
    );
    await host.settle();
    await finishNext(host, { value: 2 });
    expect(instance).toMatchObject({ status: 'Completed', output: '2' });
  });
});
