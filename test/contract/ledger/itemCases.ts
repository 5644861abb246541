import { expect, it } from 'vitest';
import { StateInvalid, type ExpansionRow } from '../../../src/ledger/port.ts';
import {
  artifactRow,
  completion,
  decision,
  digest,
  failure,
  newRun,
  reservation,
  T0,
} from '../../support/ledger/samples.ts';
import type { Subject } from './suite.ts';

const expansion = (changes: Partial<ExpansionRow> = {}): ExpansionRow => ({
  runId: 'run1',
  revision: 1,
  nodeId: 'each',
  count: 3,
  itemsDigest: digest('7'),
  mode: 'inline',
  createdAt: T0,
  ...changes,
});

const itemRow = (item: number, value: string | null = null) =>
  artifactRow({ id: `art_each_${String(item)}`, nodeId: 'each', item, output: 'value', value });

async function completeItem(subject: Subject, item: number): Promise<void> {
  const operationKey = `each-${String(item)}`;
  await subject().reserve(reservation({ operationKey, nodeId: 'each', item }));
  await subject().complete(operationKey, 1, completion([itemRow(item, String(item))]));
}

export function itemCases(subject: Subject): void {
  it('an expansion is written once, with its lanes; another list of items is refused', async () => {
    await subject().createRun(newRun());
    const lanes = [0, 50].map((item) => ({
      instanceId: `run1-lane${String(item)}`,
      runId: 'run1',
      kind: 'lane' as const,
      revision: 1,
      nodeId: 'each',
      item,
      attempt: 1,
      until: null,
      to: item + 50,
    }));
    const row = expansion({ count: 100, mode: 'lanes' });
    expect(await subject().saveExpansion(row, lanes, 'run1', [decision()])).toEqual(row);
    expect(await subject().saveExpansion({ ...row, createdAt: T0 + 9 }, lanes, 'run1', [decision()])).toEqual(row);
    expect(await subject().getExpansion('run1', 1, 'each')).toEqual(row);
    expect(await subject().getExpansion('run1', 2, 'each')).toBeUndefined();
    expect((await subject().instancesOf('run1')).map(({ item, to }) => [item, to])).toEqual([
      [0, 50],
      [50, 100],
    ]);
    const other = subject().saveExpansion(expansion({ itemsDigest: digest('8') }), [], 'run1', []);
    await expect(other).rejects.toBeInstanceOf(StateInvalid);
    const events = (await subject().events('run1', 0, 50)).filter(({ type }) => type === 'node.expanded');
    expect(events).toHaveLength(1);
  });

  it('the projection shows whole nodes and counts items', async () => {
    await subject().createRun(newRun());
    await subject().saveExpansion(expansion({ count: 5 }), [], 'run1', []);
    await completeItem(subject, 1);
    await completeItem(subject, 0);
    await subject().reserve(reservation({ operationKey: 'each-2', nodeId: 'each', item: 2 }));
    await subject().fail('each-2', 1, failure('permanent'));
    await subject().reserve(reservation({ operationKey: 'each-3', nodeId: 'each', item: 3 }));
    await subject().recordDecisions(
      'run1',
      'when:each:4',
      [decision({ nodeId: 'each', item: 4, kind: 'skippedByCondition' })],
      T0,
    );
    await subject().recordDecisions('run1', 'run1', [decision({ nodeId: 'each', item: 3, kind: 'retryWait' })], T0);
    const seen = await subject().project('run1');
    expect(seen).toMatchObject({ operations: [], artifacts: [], decisions: [], expansions: [{ count: 5 }] });
    expect(seen?.items).toEqual([{ nodeId: 'each', completed: 2, failed: 1, unknown: 0, open: 1, skipped: 1 }]);
  });

  it('gathering reads the outputs of completed items in their order, small values with them', async () => {
    await subject().createRun(newRun());
    for (const item of [10, 2, 0]) await completeItem(subject, item);
    expect((await subject().itemArtifacts('run1', 'each')).map(({ item, value }) => [item, value])).toEqual([
      [0, '0'],
      [2, '2'],
      [10, '10'],
    ]);
    const page = { states: ['completed'] as const, afterItem: 0, limit: 1 };
    expect((await subject().itemOperations('run1', 'each', page)).map(({ item }) => item)).toEqual([2]);
    expect(await subject().itemOperations('run1', 'each', { ...page, states: ['failed'] })).toEqual([]);
    expect(await subject().blobNamesOf('run1')).toHaveLength(3);
  });
}
