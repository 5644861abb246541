import { describe, expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { hostTable } from '../../support/hosts/table.ts';

type Result = readonly [name: string, state: string, seconds?: number];

function moduleOf(...results: Result[]): TestModule {
  const tests = results.map(([name, state, seconds = 0]) => ({
    name,
    result: () => ({ state }),
    diagnostic: () => ({ duration: seconds * 1_000 }),
  }));
  return { children: { allTests: () => tests } } as unknown as TestModule;
}
const lines = (...results: Result[]): string[] => hostTable([moduleOf(...results)]).split('\n');

describe('the table host × case', () => {
  it('puts one case of both hosts into one row, whichever file it stands in', () => {
    const table = hostTable([
      moduleOf(['embedded · early event', 'passed', 1.26]),
      moduleOf(['engine · early event', 'passed', 3]),
    ]);
    expect(table).toContain('early event  ok 1.3 s      ok 3.0 s');
    expect(table).toContain('1 cases, 1 passed on both hosts');
  });

  it('shows failed, skipped and missing cells, and counts none of them as equal', () => {
    const [, , failed, skipped, missing, summary] = lines(
      ['embedded · a', 'passed'],
      ['engine · a', 'failed', 2],
      ['embedded · b', 'passed'],
      ['engine · b', 'skipped'],
      ['embedded · c', 'passed'],
    );
    expect(failed).toMatch(/^a +ok 0\.0 s +FAILED 2\.0 s$/);
    expect(skipped).toMatch(/^b +ok 0\.0 s +skipped$/);
    expect(missing).toMatch(/^c +ok 0\.0 s +–$/);
    expect(summary).toBe('3 cases, 0 passed on both hosts');
  });

  it('keeps separators inside a name, and leaves other tests out', () => {
    expect(lines(['engine · a · b', 'passed'], ['another test', 'failed'])[2]).toMatch(/^a · b +– +ok/);
    expect(hostTable([moduleOf(['another test', 'failed'])])).toBe('');
  });
});
