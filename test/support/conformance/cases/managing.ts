/** Queries, purges, refusals. */
import type { ConformanceCase } from '../types.ts';

export const manageCases: readonly ConformanceCase[] = [
  {
    name: 'unknown-instance',
    title: 'everything about an unknown instance is 404',
    async run(talk) {
      await talk.status('nobody');
      await talk.status('nobody', 'showHistory=true');
      await talk.raise('nobody', 'go', 1);
      for (const verb of ['terminate', 'suspend', 'resume']) await talk.post('nobody', `${verb}?reason=x`);
      await talk.send('DELETE', 'instances/nobody');
    },
  },
  {
    name: 'event-refused',
    title: 'what raiseEvent refuses: other content types, no body, bad JSON',
    async run(talk) {
      const id = 'event-refused';
      const to = (name: string): string => `instances/${id}/raiseEvent/${name}`;
      await talk.start('waits', id);
      await talk.untilCustom(id, 'waiting');
      await talk.send('POST', to('other'), { body: '1', contentType: 'text/plain' });
      await talk.send('POST', to('other'), { body: '1' });
      await talk.send('POST', to('other'));
      await talk.send('POST', to('other'), { body: '', contentType: 'application/json' });
      await talk.send('POST', to('other'), { body: '{', contentType: 'application/json' });
      await talk.send('POST', to('%20'), { body: '1', contentType: 'application/json' });
      await talk.send('POST', `instances/${id}/RAISEEVENT/go`, {
        body: ' {"a" : 1.50} ',
        contentType: 'application/json; charset=utf-8',
      });
      await talk.end(id);
    },
  },
  {
    name: 'event-loose-json',
    title: 'what is almost JSON',
    async run(talk) {
      await talk.start('waits', 'event-loose-json');
      await talk.untilCustom('event-loose-json', 'waiting');
      for (const body of ['1 2', "{'a': 1}", '{a: 1}', '[1,]', '// c\n1', 'NaN'])
        await talk.send('POST', 'instances/event-loose-json/raiseEvent/other', {
          body,
          contentType: 'application/json',
        });
    },
  },
  {
    name: 'unknown-paths',
    title: 'unknown paths and other verbs',
    async run(talk) {
      await talk.start('echoInput', 'unknown-paths', 1);
      await talk.end('unknown-paths');
      await talk.send('GET', 'nothing/here');
      await talk.send('GET', 'orchestrators/echoInput');
      await talk.send('PUT', 'instances/unknown-paths');
      await talk.send('POST', 'instances/unknown-paths');
      await talk.send('POST', 'instances/unknown-paths/nothing');
      await talk.send('GET', 'instances/unknown-paths/terminate');
      await talk.send('GET', 'instances/unknown-paths/');
      await talk.send('GET', 'INSTANCES/unknown-paths');
      await talk.send('GET', 'instances/UNKNOWN-PATHS');
    },
  },
  {
    name: 'status-flags',
    title: 'flags of a status, in any case and with odd values',
    async run(talk) {
      const id = 'status-flags';
      await talk.start('chain', id, { a: 1 });
      await talk.end(id);
      for (const query of [
        '',
        'showHistory=TRUE',
        'SHOWHISTORY=true&showhistoryoutput=true',
        'showHistory=1',
        'showHistory=',
        'showHistory=maybe',
        'showInput=False',
        'showInput=',
        'showInput=maybe',
        'showHistoryOutput=true',
        'showHistory=true&showHistoryOutput=true&showInput=false',
      ])
        await talk.status(id, query);
    },
  },
  {
    name: 'purge-one',
    title: 'purge by id, of a finished and of a running instance',
    async run(talk) {
      await talk.start('echoInput', 'purge-one-1', 1);
      await talk.end('purge-one-1');
      await talk.send('DELETE', 'instances/purge-one-1');
      await talk.status('purge-one-1');
      await talk.send('DELETE', 'instances/purge-one-1');
      await talk.start('waits', 'purge-one-2');
      await talk.untilCustom('purge-one-2', 'waiting');
      await talk.send('DELETE', 'instances/purge-one-2');
      await talk.status('purge-one-2');
      await talk.raise('purge-one-2', 'go', 1);
    },
  },
  {
    name: 'list',
    title: 'lists: prefix, states, pages, odd values',
    alone: true,
    async run(talk) {
      for (const n of [1, 2, 3]) await talk.start('echoInput', `list-${String(n)}`, n);
      await talk.start('waits', 'list-4');
      for (const n of [1, 2, 3]) await talk.untilStatus(`list-${String(n)}`, 'Completed');
      await talk.untilCustom('list-4', 'waiting');
      const list = (query: string): Promise<unknown> => talk.send('GET', `instances/?${query}`);
      await list('instanceIdPrefix=list-');
      await list('instanceIdPrefix=list-&showInput=false');
      await list('instanceIdPrefix=list-&runtimeStatus=Running');
      await list('instanceIdPrefix=list-&runtimeStatus=running,COMPLETED');
      await list('instanceIdPrefix=list-&runtimeStatus=Nonsense');
      await list('instanceIdPrefix=list-&runtimeStatus=Nonsense,Running');
      await list('instanceIdPrefix=nobody-');
      await list('instanceIdPrefix=list-&top=2');
      await list('instanceIdPrefix=list-&top=0');
      await list('instanceIdPrefix=list-&top=x');
      await list('instanceIdPrefix=list-&createdTimeFrom=2001-01-01T00:00:00Z&createdTimeTo=2001-01-02T00:00:00Z');
      await list('instanceIdPrefix=list-&createdTimeFrom=nonsense');
      await talk.send('GET', 'instances?instanceIdPrefix=list-2');
      await talk.post('list-4', 'terminate?reason=x');
      await talk.untilStatus('list-4', 'Terminated');
    },
  },
  {
    name: 'list-order',
    title: 'a list is in the order of ids',
    alone: true,
    async run(talk) {
      const ids = ['b', 'a', 'B', '10', '9', '_'].map((end) => `list-order-${end}`);
      for (const id of ids) await talk.start('echoInput', id, 1);
      for (const id of ids) await talk.untilStatus(id, 'Completed');
      await talk.pages('instances/?instanceIdPrefix=list-order-');
    },
  },
  {
    name: 'list-pages',
    title: 'following the token of each page gives every instance once',
    alone: true,
    async run(talk) {
      const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => `list-pages-${letter}`);
      for (const id of ids) await talk.start('echoInput', id, 1);
      for (const id of ids) await talk.untilStatus(id, 'Completed');
      await talk.pages('instances/?instanceIdPrefix=list-pages-&top=2');
    },
  },
  {
    name: 'purge-many',
    title: 'purge by filter: states, times, none left',
    alone: true,
    async run(talk) {
      await talk.start('echoInput', 'purge-many-1', 1);
      await talk.start('escapes', 'purge-many-2');
      await talk.start('waits', 'purge-many-3');
      await talk.untilStatus('purge-many-1', 'Completed');
      await talk.untilStatus('purge-many-2', 'Failed');
      await talk.untilCustom('purge-many-3', 'waiting');
      const purge = (query: string): Promise<unknown> => talk.send('DELETE', `instances/${query}`);
      await purge('');
      await purge('?createdTimeTo=2001-01-01T00:00:00Z');
      await purge('?createdTimeFrom=2001-01-01T00:00:00Z&createdTimeTo=2001-01-02T00:00:00Z');
      await purge('?createdTimeFrom=nonsense');
      await talk.purgeSome('?createdTimeFrom=2001-01-01T00:00:00Z&runtimeStatus=Failed');
      for (const n of [1, 2, 3]) await talk.status(`purge-many-${String(n)}`);
      await talk.purgeSome('?createdTimeFrom=2001-01-01T00:00:00Z&runtimeStatus=Completed,Running');
      for (const n of [1, 2, 3]) await talk.status(`purge-many-${String(n)}`);
      await talk.purgeSome('?createdTimeFrom=2001-01-01T00:00:00Z&runtimeStatus=Running');
      for (const n of [1, 2, 3]) await talk.status(`purge-many-${String(n)}`);
      await purge('?createdTimeFrom=2001-01-01T00:00:00Z&runtimeStatus=Failed');
    },
  },
];
