/**
 * O-01: environment variables read inside an orchestrator gave another task order on replay, silently. Here the whole
 * run is replayed by the SDK's own executor on a recorded history, with everything around it changed.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { determinismRules } from '../../eslint.determinism.js';
import { runOrchestration } from '../../src/orchestration/run.ts';
import { done, History, raised, replay, shape, START, type Body } from '../unit/orchestration/sdkReplay.ts';
import { scheduleOf, succeeded } from '../support/schedules.ts';
import { controlEvent } from '../../src/orchestration/names.ts';

const body: Body = (verbs) => runOrchestration(verbs, { version: 1, runId: 'run-1' }, 'run-1');
/** What the determinism rules say of a piece of code. */
function lint(code: string): string[] {
  const config = [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, rules: determinismRules }];
  return new Linter()
    .verify(code, config as unknown as Linter.Config[], 'src/orchestration/x.ts')
    .map(({ message }) => message);
}

const node = (nodeId: string, attempt = 1): unknown => succeeded({ nodeId, item: -1, attempt });

/** begin, plan, validate answered; the schedule's first two nodes are then open as tasks 3 and 4 (5 is the deadline's timer). */
const validated = (): History =>
  new History()
    .batch(done(0, { version: 1, go: true, reason: 'expected' }))
    .batch(done(1, { version: 1, ok: true }))
    .batch(
      done(2, {
        version: 1,
        ok: true,
        schedule: scheduleOf(
          { a: [], b: [], c: ['a'], d: ['b'], e: ['c', 'd'] },
          { window: 2, deadlineAt: START + 3_600_000 },
        ),
      }),
    );

afterEach(() => {
  delete process.env['GEOAGENT_MAX_PARALLEL_NODES'];
});

describe('O-01 limits come from the warrant, never from the environment', () => {
  it('replays a recorded history to the same actions after the limits around it changed', async () => {
    const history = validated().batch(done(3, node('a')), done(4, node('b')));
    const before = await replay(body, history);
    process.env['GEOAGENT_MAX_PARALLEL_NODES'] = '5';
    const after = await replay(body, history);
    expect(JSON.stringify(after.actions)).toBe(JSON.stringify(before.actions));
    expect(after.customStatus).toEqual(before.customStatus);
  });

  it.each([
    'Date.now()',
    'new Date()',
    'Math.random()',
    'process.env.X',
    'crypto.randomUUID()',
    "fetch('x')",
    'setTimeout(() => 1, 1)',
  ])('the linter refuses %s in orchestrator code', (expression) => {
    expect(lint(`export const value: unknown = ${expression};\n`).join('\n')).toContain(
      'Orchestrator code is replayed (O-01)',
    );
  });

  it('the linter refuses async functions and await in orchestrator code', () => {
    const messages = lint('export async function f(): Promise<void> { await Promise.resolve(); }\n');
    expect(messages.filter((message) => message.includes('O-01')).length).toBeGreaterThanOrEqual(2);
  });

  it('the same rules guard every pure folder of the house', async () => {
    const { default: config } = await import('../../eslint.config.js');
    const guarded = config.filter((block) => block.rules === determinismRules).flatMap((block) => block.files ?? []);
    for (const folder of ['plan', 'catalog', 'validation', 'policy', 'orchestration', 'verification']) {
      expect(guarded).toContain(`src/${folder}/**/*.ts`);
    }
  });
});

describe('the run on the SDK', () => {
  it('lists every node once, in the order of starts, whatever the batches', async () => {
    const history = validated();
    expect(shape(await replay(body, history))).toMatch(
      /^any\(begin1\) any\(plan1\) any\(validate1\) any\((node1|timer) (node1|timer) (node1|timer)\)$/,
    );
    history.batch(done(3, node('a')), done(4, node('b')));
    const two = await replay(body, history);
    expect(shape(two).match(/node1/g)).toHaveLength(4);
  });

  it('O-05 a cancel event that came before the run listened still counts', async () => {
    const history = new History()
      .batch(raised(controlEvent('run-1', 1), true))
      .batch(done(0, { version: 1, go: true, reason: 'expected' }))
      .batch(done(1, { version: 1, ok: true }))
      .batch(
        done(2, { version: 1, ok: true, schedule: scheduleOf({ a: [], b: ['a'] }, { deadlineAt: START + 3_600_000 }) }),
      );
    expect(shape(await replay(body, history))).toContain('control1');
  });
});
