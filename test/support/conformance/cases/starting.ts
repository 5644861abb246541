/** Starting, restarting, replacing. */
import type { ConformanceCase } from '../types.ts';

const JSON_BODY = { body: '1', contentType: 'application/json' };

export const startCases: readonly ConformanceCase[] = [
  {
    name: 'start-again',
    title: 'Q28 the id of a running instance is refused with 500, that of a finished one is replaced',
    async run(talk) {
      const id = 'start-again';
      await talk.start('waits', id, 'first');
      await talk.untilCustom(id, 'waiting');
      await talk.start('waits', id, 'while it runs');
      await talk.post(id, 'suspend?reason=x');
      await talk.untilStatus(id, 'Suspended');
      await talk.start('waits', id, 'while it is suspended');
      await talk.post(id, 'terminate?reason=x');
      await talk.end(id);
      await talk.start('chain', id, 'a late duplicate');
      await talk.untilStatus(id, 'Completed');
      await talk.seen(id);
    },
  },
  {
    name: 'start-refused',
    title: 'what a start refuses: bad JSON, paths that are none',
    async run(talk) {
      const bad = { body: '{bad', contentType: 'application/json' };
      await talk.send('POST', 'orchestrators/echoInput/start-refused-1', bad);
      await talk.status('start-refused-1');
      await talk.send('POST', 'orchestrators/echoInput/start-refused-2', { body: 'plain', contentType: 'text/plain' });
      await talk.status('start-refused-2');
      await talk.send('POST', 'orchestrators/echoInput/start/refused', JSON_BODY);
      await talk.send('POST', 'orchestrators/echoInput/start%2Frefused', JSON_BODY);
      await talk.send('POST', 'orchestrators', JSON_BODY);
      await talk.send('POST', 'orchestrators/', JSON_BODY);
    },
  },
  {
    name: 'start-unknown',
    title: 'the start of an orchestrator that does not exist, and of an activity',
    async run(talk) {
      await talk.send('POST', 'orchestrators/thereIsNone/start-unknown-1', JSON_BODY);
      await talk.send('POST', 'orchestrators/echo/start-unknown-2', JSON_BODY);
      for (const id of ['start-unknown-1', 'start-unknown-2']) {
        await talk.untilStatus(id, 'Failed');
        await talk.status(id, 'showHistory=true&showHistoryOutput=true');
      }
    },
  },
  {
    name: 'start-forbidden-ids',
    title: 'Q22 ids that the documentation forbids',
    async run(talk) {
      for (const id of ['@start-bad', 'start-bad%23', 'start-bad%3F', 'start-bad%5C', 'start-bad%01', 'x'.repeat(257)])
        await talk.send('POST', `orchestrators/echoInput/${id}`, JSON_BODY);
    },
  },
  {
    name: 'start-odd-ids',
    title: 'Q22 odd ids that are allowed; a start without an id, with another content type, in other case',
    async run(talk) {
      for (const id of ['start-odd%20id', 'start-odd-%C3%A8', "start-odd-'quote", 'start-odd+plus', 'start-odd%25'])
        await talk.send('POST', `orchestrators/echoInput/${id}`, JSON_BODY);
      await talk.send('POST', 'orchestrators/echoInput', JSON_BODY);
      await talk.send('POST', 'orchestrators/echoInput/', JSON_BODY);
      await talk.send('POST', 'orchestrators/ECHOINPUT/start-odd-case', JSON_BODY);
      await talk.end('start-odd-case');
      await talk.send('POST', 'ORCHESTRATORS/echoInput/start-odd-text', { body: '2', contentType: 'text/plain' });
      await talk.end('start-odd-text');
    },
  },
  {
    name: 'start-and-wait',
    title: 'a start that waits: output, status of a failure, the 202 when it takes too long, bad times',
    async run(talk) {
      const wait = (name: string, rest: string): Promise<unknown> =>
        talk.send('POST', `orchestrators/${name}/start-and-wait-${rest}`, JSON_BODY);
      await wait('chain', '1?timeout=60&pollingInterval=1');
      await wait('escapes', '2?timeout=60&pollingInterval=1');
      await wait('waits', '3?timeout=2&pollingInterval=1');
      await wait('chain', '4?timeout=1&pollingInterval=5');
      await wait('chain', '5?timeout=x&pollingInterval=1');
      await wait('chain', '6?timeout=5');
      await talk.status('start-and-wait-3');
    },
  },
  {
    name: 'restart',
    title: 'a restart takes the same input, with the same id or a new one',
    async run(talk) {
      const id = 'restart';
      await talk.start('chain', id, { again: true });
      await talk.end(id);
      await talk.post(id, 'restart');
      await talk.post(id, 'restart?restartWithNewInstanceId=false');
      await talk.untilStatus(id, 'Completed');
      await talk.seen(id);
      await talk.post('restart-unknown', 'restart');
      await talk.start('waits', 'restart-2');
      await talk.untilCustom('restart-2', 'waiting');
      await talk.post('restart-2', 'restart?restartWithNewInstanceId=false');
      await talk.status('restart-2');
    },
  },
  {
    name: 'rewind',
    title: 'rewind of a failed, a completed, a running and an unknown instance',
    async run(talk) {
      await talk.start('echoInput', 'rewind-1', 1);
      await talk.end('rewind-1');
      await talk.post('rewind-1', 'rewind?reason=why');
      await talk.start('waits', 'rewind-2');
      await talk.untilCustom('rewind-2', 'waiting');
      await talk.post('rewind-2', 'rewind?reason=why');
      await talk.post('rewind-unknown', 'rewind?reason=why');
      await talk.start('escapes', 'rewind-3');
      await talk.end('rewind-3');
      await talk.post('rewind-3', 'rewind?reason=why');
    },
  },
  {
    name: 'twenty-at-once',
    title: 'twenty instances started at once, each with a fan-out',
    async run(talk) {
      const ids = Array.from({ length: 20 }, (_, i) => `twenty-at-once-${String(i + 1)}`);
      await talk.startTogether('fansOut', ids);
      for (const id of ids) await talk.untilStatus(id, 'Completed');
      for (const id of ids) await talk.status(id);
    },
  },
];
