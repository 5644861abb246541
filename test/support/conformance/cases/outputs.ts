/** Inputs, outputs and custom statuses of instances. */
import type { ConformanceCase } from '../types.ts';
import { runs } from './runs.ts';

export const outputCases: readonly ConformanceCase[] = [
  {
    name: 'outputs',
    title: 'every kind of output',
    async run(talk) {
      for (const kind of ['text', 'jsonText', 'date', 'null', 'nothing', 'false', 'zero', 'array']) {
        const id = `outputs-${kind}`;
        await talk.start('returns', id, kind);
        await talk.end(id);
      }
    },
  },
  {
    name: 'inputs',
    title: 'Q8 every kind of input of an instance, raw and none',
    async run(talk) {
      const bodies = ['"text"', '""', '5', 'true', 'null', '{"a":{"at":"2001-02-03T04:05:06Z"}}', '[1,null]', '  7  '];
      for (const [i, body] of bodies.entries()) {
        const id = `inputs-${String(i)}`;
        await talk.send('POST', `orchestrators/echoInput/${id}`, { body, contentType: 'application/json' });
        await talk.end(id);
      }
      await talk.start('echoInput', 'inputs-none');
      await talk.end('inputs-none');
      await talk.status('inputs-5', 'showInput=false');
      await talk.status('inputs-5', 'showInput=false&showHistory=true');
      await talk.status('inputs-5', 'showHistory=true');
    },
  },
  runs('input-timestamp', 'Q5 a property called Timestamp in the input', 'echoInput', {
    Timestamp: '2001-02-03T04:05:06Z',
  }),
  runs('status-falsy', 'Q18 falsy custom statuses are ignored, the earlier one stays', 'statuses'),
  runs('status-carried', 'Q18 a custom status is carried over by continue-as-new', 'statusCarried', {}),
  runs('renewal-with-text', 'Q26 continue-as-new with a text gives it extra quotes', 'renewsWithText', 'first'),
];
