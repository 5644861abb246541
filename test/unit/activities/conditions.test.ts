import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, prepare } from '../../support/services/activityRun.ts';
import { testServices, type TestServices } from '../../support/services/testServices.ts';
import { testAppTools } from '../../support/testApp/change.ts';
import { journalLines } from '../../support/testApp/journal.ts';
import { withJournal } from '../../support/testApp/withJournal.ts';

withJournal();
let services: TestServices;
beforeEach(async () => {
  services = await testServices(testAppTools);
});

const A = { id: 'a', tool: 'test.noop', args: { value: { n: 5, text: 'x' } } };
const b = (more: object): object => ({ id: 'b', tool: 'test.count', ...more });
const above = (right: unknown): object => ({ op: 'gt', left: { ref: 'a.value.n' }, right });

describe('when', () => {
  it('true: the node runs; false: it is skipped, reserves nothing, and the decision stands once', async () => {
    const yes = await prepare(services, { nodes: [A, b({ when: above(4) })] });
    await yes.node('a');
    expect(codeOf(await yes.node('b'))).toBe('done');

    const no = await prepare(services, { nodes: [A, b({ when: above(9) })] });
    await no.node('a');
    const first = await no.node('b');
    expect(first).toMatchObject({ state: 'skipped', nodeId: 'b', reason: expect.stringContaining('a.value.n (5)') });
    expect(await no.node('b')).toEqual(first);
    const projection = await services.ledger.project(no.runId);
    expect(projection?.operations.map(({ nodeId }) => nodeId)).toEqual(['a']);
    expect(projection?.decisions).toMatchObject([{ nodeId: 'b', item: -1, kind: 'skippedByCondition' }]);
    expect(journalLines()).toHaveLength(1);
  });

  it('records the scheduler’s decisions that rode in a call that was skipped', async () => {
    const run = await prepare(services, { nodes: [A, b({ when: above(9) })] });
    await run.node('a');
    const decision = { seq: 1, nodeId: 'a', item: -1, kind: 'retryWait', attempt: 1, reason: 'why' };
    await run.node('b', { decisions: [decision] });
    expect((await services.ledger.project(run.runId))?.decisions).toHaveLength(2);
  });

  it('compares no unlike types: INVALID_ARGUMENT, unexpected', async () => {
    const run = await prepare(services, {
      nodes: [A, b({ when: { op: 'lt', left: { ref: 'a.value.text' }, right: 3 } })],
    });
    await run.node('a');
    expect(codeOf(await run.node('b'))).toBe('INVALID_ARGUMENT/unexpected');
    expect(journalLines()).toEqual([]);
  });

  it('a path that the completed output does not have is an error; with a default, and for exists, it is not', async () => {
    const missing = { ref: 'a.value.none' };
    const error = await prepare(services, { nodes: [A, b({ when: { op: 'eq', left: missing, right: 1 } })] });
    await error.node('a');
    expect(codeOf(await error.node('b'))).toBe('INVALID_ARGUMENT/unexpected');
    const withDefault = { op: 'eq', left: { ...missing, default: 1 }, right: 1 };
    const fine = await prepare(services, { nodes: [A, b({ when: withDefault })] });
    await fine.node('a');
    expect(codeOf(await fine.node('b'))).toBe('done');
    const none = await prepare(services, { nodes: [A, b({ when: { op: 'exists', left: missing } })] });
    await none.node('a');
    expect(codeOf(await none.node('b'))).toBe('skipped');
  });

  it('looks at a node that was skipped: skipped too; at one that has not ended: refused', async () => {
    const planned = { nodes: [{ ...A, when: { op: 'eq', left: 1, right: 2 } }, b({ when: above(1) })] };
    const run = await prepare(services, planned);
    expect(codeOf(await run.node('b'))).toBe('UPSTREAM_NOT_COMPLETED/permanent');
    await run.node('a');
    expect(await run.node('b')).toMatchObject({ state: 'skipped', reason: 'needs a, which was skipped' });
  });

  it('looks at a node that failed and was tolerated: skipped, and says so', async () => {
    const soft = { id: 'a', tool: 'test.noop', args: { fail: {} }, onFailure: 'continue' };
    const run = await prepare(services, { nodes: [soft, b({ when: above(1) })] });
    await run.node('a');
    expect(await run.node('b')).toMatchObject({ state: 'skipped', reason: 'needs a, which failed' });
  });

  it('uses a default in place of a skipped node’s output', async () => {
    const planned = {
      nodes: [
        { ...A, when: { op: 'eq', left: 1, right: 2 } },
        b({ args: { value: { ref: 'a.value.n', default: 'instead' } } }),
      ],
    };
    const run = await prepare(services, planned);
    await run.node('a');
    await run.node('b');
    expect(journalLines().map(({ value }) => value)).toEqual(['instead']);
  });
});

describe('expect', () => {
  const expecting = (right: number): object => ({
    ...A,
    expect: [{ op: 'ge', left: { ref: '$output.value.n' }, right }],
  });
  it('met: done; violated: CHECK_FAILED, unexpected, with the values, and nothing flows on', async () => {
    const good = await prepare(services, { nodes: [expecting(5)] });
    expect(codeOf(await good.node('a'))).toBe('done');
    const bad = await prepare(services, { nodes: [expecting(6)] });
    const result = await bad.node('a');
    expect(codeOf(result)).toBe('CHECK_FAILED/unexpected');
    expect(result.state === 'failed' && result.error.message).toContain('5');
    expect(await bad.node('a')).toEqual(result);
    expect((await services.ledger.project(bad.runId))?.artifacts).toEqual([]);
  });
});

describe('small JSON outputs', () => {
  it('stand in the ledger row and are read from there, held against their checksum', async () => {
    const planned = { nodes: [A, b({ args: { value: { ref: 'a.value' } } })] };
    const run = await prepare(services, planned);
    await run.node('a');
    const [row] = await services.ledger.artifactsOf(run.runId, 'a', -1);
    expect(row?.value).toBe('{"n":5,"text":"x"}');
    services.store.blobs.clear();
    expect(codeOf(await run.node('b'))).toBe('done');

    const ledger = services.ledger;
    const tampered = new Proxy(ledger, {
      get: (target, name, receiver) =>
        name === 'artifactsOf'
          ? async (...args: Parameters<typeof ledger.artifactsOf>) =>
              (await ledger.artifactsOf(...args)).map((one) => ({ ...one, value: '{"n":6,"text":"x"}' }))
          : (Reflect.get(target, name, receiver) as unknown),
    });
    const again = await prepare(services, planned);
    await again.node('a');
    Object.assign(services, { ledger: tampered });
    expect(codeOf(await again.node('b'))).toBe('ARTIFACT_CORRUPT/permanent');
  });
});
