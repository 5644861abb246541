import { beforeEach, describe, expect, it } from 'vitest';
import { accept, drive, view } from '../../support/services/driveRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import type { Loose } from '../../support/system/api.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { timesNoted } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const read = (runId: string): Promise<Loose> => view(services, runId);
const nodeOf = (run: Loose, id: string): Loose => run.nodes.find((one: Loose) => one.id === id);

const each = (id: string, args: object, more: object = {}): object => ({
  id,
  tool: 'test.count',
  args,
  forEach: { items: { ref: 'list.items' }, maxItems: 1_000 },
  ...more,
});
const list = (items: number): object => ({ id: 'list', tool: 'test.items', args: { count: items } });

describe('loops that need something that is not there', () => {
  it.each([3, 120])('a member that needs a skipped node is skipped whole, the others run (%i items)', async (items) => {
    const planned = {
      nodes: [
        list(items),
        { id: 'gone', tool: 'test.count', when: { op: 'eq', left: 1, right: 2 } },
        each('a', { value: { ref: '$item' } }, { dependsOn: ['gone'] }),
        each('b', { value: [{ ref: 'a.value' }, { ref: 'gone.value' }] }),
        each('c', { value: { ref: 'b.value', default: null } }, { dependsOn: ['a'] }),
      ],
    };
    const runId = await accept(services, planned);
    const { end } = await drive(services, runId);
    const run = await read(runId);
    expect(run.error).toBeNull();
    expect(end.status).toBe('succeeded');
    expect([timesNoted('count', 'a'), timesNoted('count', 'b'), timesNoted('count', 'c')]).toEqual([items, 0, items]);
    expect(nodeOf(run, 'b').state).toBe('skippedByCondition');
    expect(nodeOf(run, 'c').items).toMatchObject({ completed: items });
  });

  it.each([3, 60])(
    'an item that needs the same item of another group, which failed softly, is skipped (%i items)',
    async (items) => {
      const planned = {
        nodes: [
          list(items),
          each(
            'y',
            { value: { ref: '$item' }, fail: { class: 'permanent' } },
            { onFailure: 'continue', when: { op: 'lt', left: { ref: '$item' }, right: 2 } },
          ),
          { id: 'z', tool: 'test.count', dependsOn: ['y'] },
          each('b', { value: { ref: 'y.value' } }, { dependsOn: ['z'] }),
          each('d', { value: { ref: 'y.value', default: 1 } }, { dependsOn: ['z'] }),
        ],
      };
      const runId = await accept(services, planned);
      const { end } = await drive(services, runId);
      const run = await read(runId);
      expect(run.error).toBeNull();
      expect(end.status).toBe('succeeded');
      expect([timesNoted('count', 'b'), timesNoted('count', 'd')]).toEqual([0, items]);
      expect(nodeOf(run, 'b').items).toMatchObject({ completed: 0, skipped: items, open: 0 });
    },
  );
});
