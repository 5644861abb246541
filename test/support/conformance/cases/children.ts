/** Sub-orchestrations. */
import type { ConformanceCase } from '../types.ts';
import { runs } from './runs.ts';

export const childCases: readonly ConformanceCase[] = [
  runs('child-default-id', 'a child without an id of its own, and with input', 'parent', {
    name: 'echoInput',
    input: { a: 1 },
  }),
  {
    name: 'child-explicit-id',
    title: 'a child with a given id, and without input',
    async run(talk) {
      await talk.start('parent', 'child-explicit-id', { name: 'chain', id: 'child-explicit-id-c' });
      await talk.end('child-explicit-id');
      await talk.end('child-explicit-id-c');
    },
  },
  runs('child-text-input', 'a text as a child’s input', 'parent', { name: 'echoInput', input: 'text' }),
  {
    name: 'child-fails',
    title: 'the failure of a child is caught by its parent',
    async run(talk) {
      await talk.start('parent', 'child-fails', { name: 'escapes', id: 'child-fails-c' });
      await talk.end('child-fails');
      await talk.end('child-fails-c');
    },
  },
  {
    name: 'child-throws',
    title: 'a child that throws of its own',
    async run(talk) {
      await talk.start('parent', 'child-throws', { name: 'throws', input: 'of the child', id: 'child-throws-c' });
      await talk.end('child-throws');
    },
  },
  runs('child-retry', 'a child that fails under retry', 'parentWithRetry'),
  {
    name: 'child-terminated',
    title: 'a terminated child fails its parent, which can not catch it',
    async run(talk) {
      await talk.start('parent', 'child-terminated', { name: 'waits', id: 'child-terminated-c' });
      await talk.untilCustom('child-terminated-c', 'waiting');
      await talk.post('child-terminated-c', 'terminate?reason=enough');
      await talk.end('child-terminated-c');
      await talk.end('child-terminated');
    },
  },
  {
    name: 'parent-terminated',
    title: 'terminate does not reach a running child',
    async run(talk) {
      await talk.start('parent', 'parent-terminated', { name: 'waits', id: 'parent-terminated-c' });
      await talk.untilCustom('parent-terminated-c', 'waiting');
      await talk.status('parent-terminated', 'showHistory=true');
      await talk.post('parent-terminated', 'terminate?reason=enough');
      await talk.end('parent-terminated');
      await talk.status('parent-terminated-c');
      await talk.raise('parent-terminated-c', 'go', 1);
      await talk.end('parent-terminated-c');
      await talk.status('parent-terminated');
    },
  },
  {
    name: 'child-unknown',
    title: 'Q13 a call of an unknown orchestrator',
    async run(talk) {
      await talk.start('parent', 'child-unknown', { name: 'thereIsNoSuchOrchestrator' });
      await talk.untilCustom('child-unknown', 'calling');
      await talk.seen('child-unknown');
    },
  },
];
