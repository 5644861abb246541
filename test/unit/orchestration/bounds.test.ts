import { describe, expect, it } from 'vitest';
import { controlEvent } from '../../../src/orchestration/names.ts';
import { retryDelay } from '../../../src/orchestration/retry.ts';
import { RunBoard } from '../../../src/orchestration/runBoard.ts';
import { boardStatus, MAX_STATUS_UNITS } from '../../../src/orchestration/status.ts';
import { scheduleOf } from '../../support/schedules.ts';

describe('bounds', () => {
  it('O-10 custom status stays below 4 096 UTF-16 units for 500 nodes with the longest ids', () => {
    const graph = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`n${String(i).padStart(3, '0')}${'x'.repeat(60)}`, []]),
    );
    const board = new RunBoard(scheduleOf(graph));
    const taken = Array.from({ length: 250 }, () => board.take(false)).filter((task) => task !== undefined);
    for (const task of taken.slice(0, 100)) board.failed(task);
    const status = JSON.stringify(
      boardStatus(
        'running',
        board,
        taken.map((task) => board.label(task)),
      ),
    );
    expect(status.length).toBeLessThan(MAX_STATUS_UNITS);
    expect(JSON.parse(status)).toMatchObject({ nodes: { pending: 250, running: 150, failed: 100 } });
  });

  it('I12 event names are never numeric and differ by run and round', () => {
    const names = ['1', '2', 'run-1'].flatMap((run) => [0, 1].map((round) => controlEvent(run, round)));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^control-[0-9a-f]{24}$/);
  });

  it('retry delays are capped, jittered within 20 %, equal on replay', () => {
    const error = { code: 'X', class: 'transient', message: '' } as const;
    for (let attempt = 1; attempt < 40; attempt += 1) {
      const delay = retryDelay('run:a', attempt, error);
      expect(delay).toBe(retryDelay('run:a', attempt, error));
      const nominal = Math.min(60_000, 1_000 * 2 ** (attempt - 1));
      expect(delay).toBeGreaterThanOrEqual(nominal * 0.8 - 1);
      expect(delay).toBeLessThanOrEqual(nominal * 1.2 + 1);
    }
    expect(retryDelay('run:a', 1, error)).not.toBe(retryDelay('run:b', 1, error));
  });
});
