import { describe, expect, it } from 'vitest';
import { nextDelay } from '../../../src/viewer/app/backoff.ts';
import { adviceFor, controlLook, isTerminal, nodeLook, runLook, stepLook } from '../../../src/viewer/app/states.ts';
import { clock, duration, fileKind, fileSize } from '../../../src/viewer/app/text.ts';

const LIVE = 'accepted planning validating awaitingApproval queued running waitingForData waitingForDecision waitingForBudget replanning compensating verifying'.split(' '); // prettier-ignore
const OVER = 'succeeded readyForReview blocked rejected failed compensated compensationFailed cancelled unverified'.split(' '); // prettier-ignore
const NODE = 'pending ready waitingForResource waitingForApproval running polling succeeded failed unknown skippedByCondition skippedByFailure cancelled compensated'.split(' '); // prettier-ignore

describe('states in words', () => {
  it('knows every run status and node state of the design, with words of its own', () => {
    for (const status of [...LIVE, ...OVER]) expect(runLook(status).sign, status).not.toBe('•');
    for (const state of NODE) expect(nodeLook(state).sign, state).not.toBe('•');
  });

  it('stops looking at exactly the terminal statuses', () => {
    expect(LIVE.filter(isTerminal)).toEqual([]);
    expect(OVER.filter(isTerminal)).toEqual(OVER);
  });

  it('shows an unknown state by its name', () => {
    expect(nodeLook('constructor').word).toBe('constructor');
    expect(runLook('toString')).toMatchObject({ word: 'toString', sign: '•' });
  });

  it('tells waiting from working, and what has been asked from what has happened', () => {
    const step = { id: 'a', tool: 'x.y', state: 'running' };
    expect(stepLook({ ...step, waitingFor: { kind: 'wait', reason: '' } }).word).toBe('waiting');
    expect(stepLook({ ...step, waitingFor: { kind: 'items', reason: '' } }).word).toBe('running');
    expect(stepLook({ ...step, state: 'pending', waitingFor: { kind: 'retry', reason: '' } }).word).toContain('again');
    expect(stepLook({ ...step, state: 'failed', tolerated: true }).word).toBe('failed, the run goes on');
    expect(controlLook('none', false)).toBeNull();
    expect(controlLook('suspend', false)?.word).toBe('suspending');
    expect(controlLook('none', true)?.word).toContain('suspended');
    expect(controlLook('cancel', true)?.word).toBe('cancelling');
  });

  it('has something to do for every code, and for unknown ones', () => {
    expect(adviceFor('TOO_FEW_STATIONS')).toContain('gauges');
    expect(adviceFor('__proto__')).toContain('docs/errors.md');
  });
});

describe('back-off', () => {
  it('asks every second while things change, at most every five when they do not', () => {
    expect(nextDelay(0, 0)).toBe(1000);
    expect(nextDelay(9, 0)).toBe(1000);
    expect(nextDelay(12, 0)).toBeGreaterThan(1000);
    expect(nextDelay(1e6, 0)).toBe(5000);
  });

  it('doubles on failures up to fifteen seconds', () => {
    expect([1, 2, 3, 4, 99].map((failures) => nextDelay(0, failures))).toEqual([2000, 4000, 8000, 15_000, 15_000]);
  });
});

describe('small texts', () => {
  it('writes durations of done, running and never closed steps', () => {
    const start = '2026-05-13T07:00:00Z';
    expect(duration(start, '2026-05-13T07:00:01.44Z', null)).toBe('1.4 s');
    expect(duration(start, null, Date.parse(start) + 45_300)).toBe('45 s');
    expect(duration(start, '2026-05-13T07:03:20Z', null)).toBe('3 min 20 s');
    expect(duration(start, '2026-05-13T07:02:59.7Z', null)).toBe('3 min 0 s');
    expect(duration(start, '2026-05-13T10:20:00Z', null)).toBe('3 h 20 min');
    expect(duration(start, '2026-06-12T07:00:00Z', null)).toBe('30 d 0 h');
    expect(duration(start, null, null)).toBe('–');
    expect(duration(null, null, 5)).toBe('–');
    expect(duration('nonsense', null, 5)).toBe('–');
  });

  it('writes a time with its date unless it is today', () => {
    const now = new Date(2026, 4, 13, 12).getTime();
    const today = clock(new Date(2026, 4, 13, 18, 5).toISOString(), now);
    const later = clock(new Date(2026, 5, 12, 18, 5).toISOString(), now);
    expect(today).toContain('05');
    expect(later.length).toBeGreaterThan(today.length);
    expect(later).toContain('12');
    expect(clock('nonsense', now)).toBe('');
  });

  it('writes sizes and kinds of files', () => {
    expect([undefined, 12, 12_345, 4_000_000].map(fileSize)).toEqual(['', '12 B', '12.3 kB', '4.0 MB']);
    expect(fileKind('text/html; charset=utf-8')).toContain('map');
    expect(fileKind('application/x-new')).toBe('application/x-new');
  });
});
