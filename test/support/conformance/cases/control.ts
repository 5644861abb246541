/** Suspend, resume, terminate. */
import type { ConformanceCase } from '../types.ts';

export const controlCases: readonly ConformanceCase[] = [
  {
    name: 'suspend-event-resume',
    title: 'Q20 an event that comes while an instance is suspended waits for the resume',
    async run(talk) {
      const id = 'suspend-event-resume';
      await talk.start('eventThenActivity', id);
      await talk.untilCustom(id, 'waiting');
      await talk.post(id, 'suspend?reason=lunch%20break');
      await talk.untilStatus(id, 'Suspended');
      await talk.status(id);
      await talk.raise(id, 'go', { n: 1 });
      await talk.untilShown(id, 'EventRaised');
      await talk.status(id, 'showHistory=true');
      await talk.post(id, 'resume?reason=back');
      await talk.end(id);
    },
  },
  {
    name: 'suspend-during-activity',
    title: 'an activity goes on while its instance is suspended',
    async run(talk) {
      const id = 'suspend-during-activity';
      await talk.start('worksThenWaits', id, []);
      await talk.untilCustom(id, 'working');
      await talk.post(id, 'suspend');
      await talk.untilStatus(id, 'Suspended');
      talk.release(id);
      await talk.untilShown(id, 'TaskCompleted');
      await talk.status(id, 'showHistory=true');
      await talk.post(id, 'resume');
      await talk.end(id);
    },
  },
  {
    name: 'suspend-twice',
    title: 'suspending a suspended instance and resuming a running one are refused with 500',
    async run(talk) {
      const id = 'suspend-twice';
      await talk.start('waits', id);
      await talk.untilCustom(id, 'waiting');
      await talk.post(id, 'resume?reason=early');
      await talk.post(id, 'suspend?reason=1');
      await talk.untilStatus(id, 'Suspended');
      await talk.post(id, 'suspend?reason=2');
      await talk.status(id);
      await talk.post(id, 'resume?reason=on');
      await talk.untilStatus(id, 'Running');
      await talk.status(id);
      await talk.raise(id, 'go', 1);
      await talk.end(id);
    },
  },
  {
    name: 'terminate-suspended',
    title: 'a suspended instance can be terminated',
    async run(talk) {
      const id = 'terminate-suspended';
      await talk.start('waits', id);
      await talk.untilCustom(id, 'waiting');
      await talk.post(id, 'suspend?reason=pause');
      await talk.untilStatus(id, 'Suspended');
      await talk.post(id, 'terminate?reason=over');
      await talk.end(id);
    },
  },
  {
    name: 'terminate',
    title: 'the reason of a terminate is the output: text, JSON, none',
    async run(talk) {
      for (const [i, query] of ['?reason=no%20more', '?reason=2024', '?reason=%7B%22a%22:1%7D', ''].entries()) {
        const id = `terminate-${String(i)}`;
        await talk.start('waits', id);
        await talk.untilCustom(id, 'waiting');
        await talk.post(id, `terminate${query}`);
        await talk.end(id);
      }
    },
  },
  {
    name: 'terminate-during-activity',
    title: 'the result of an activity that ends after the terminate is dropped',
    async run(talk) {
      const id = 'terminate-during-activity';
      await talk.start('worksThenWaits', id, []);
      await talk.untilCustom(id, 'working');
      await talk.post(id, 'terminate?reason=stop');
      await talk.end(id);
      talk.release(id);
    },
  },
  {
    name: 'finished',
    title: 'operations on finished instances are 410',
    async run(talk) {
      await talk.start('echoInput', 'finished-1', 1);
      await talk.end('finished-1');
      await talk.start('escapes', 'finished-2');
      await talk.end('finished-2');
      for (const id of ['finished-1', 'finished-2']) {
        await talk.raise(id, 'go', 1);
        for (const verb of ['terminate', 'suspend', 'resume']) await talk.post(id, `${verb}?reason=late`);
        await talk.status(id);
      }
      await talk.status('finished-2', 'returnInternalServerErrorOnFailure=true');
    },
  },
];
