import { describe, expect, it } from 'vitest';
import { recountExposure } from '../../../src/verification/recount.ts';
import { exposureHeadline, exposureSummary, reportText } from '../../../src/verification/report.ts';

const summary = exposureSummary.parse({
  byClass: { exceeds: { count: 3 }, undecided: { count: 4 } },
  total: 20,
  atLeast: 3,
  upTo: 9,
  threshold: { mm: 32.55 },
});

describe('headline', () => {
  it.each([
    ['it', 'Almeno 3 e fino a 9 elementi su 20 sopra 32,6 mm'],
    ['en-GB', 'At least 3, up to 9 of 20 assets above 32.6 mm'],
    ['de', 'Mindestens 3, höchstens 9 von 20 Objekten über 32,6 mm'],
    ['fr', 'At least 3, up to 9 of 20 assets above 32.6 mm'],
  ])('in %s never says yes or no: %s', (locale, text) => {
    expect(exposureHeadline(summary, locale)).toBe(text);
  });
});

describe('text', () => {
  const base = {
    locale: 'en',
    goal: 'x',
    headline: 'H',
    claims: [],
    steps: [{ id: 'a', tool: 't', state: 'succeeded' }],
    licences: ['CC-BY someone'],
    synthetic: true,
  };
  it('opens with the synthetic mark, names the licences and lists failed checks', () => {
    const text = reportText({
      ...base,
      checks: [
        { nodeId: 'a', name: 'sum', passed: false, detail: '3 ≠ 4' },
        { nodeId: 'a', name: 'ok', passed: true, detail: '' },
      ],
    });
    expect(text.split('\n')[0]).toBe('SYNTHETIC DATA: for demonstration only.');
    expect(text).toContain('1/2 checks passed');
    expect(text).toContain('- a sum: 3 ≠ 4');
    expect(text).toContain('CC-BY someone');
    expect(text).toContain('not an official warning');
  });
  it('says so when there is no exposure, instead of nothing', () => {
    expect(reportText({ ...base, headline: null, checks: [] })).toContain('no single exposure');
  });
});

describe('recount', () => {
  it('counts classes from the features and refuses other shapes', () => {
    const feature = (c: string): unknown => ({ type: 'Feature', properties: { class: c } });
    const counted = recountExposure({ features: [feature('exceeds'), feature('below'), feature('below')] });
    expect(counted?.total).toBe(3);
    expect(Object.fromEntries(counted?.byClass ?? [])).toEqual({ exceeds: 1, below: 2 });
    expect(recountExposure({ features: [feature('maybe')] })).toBeUndefined();
    expect(recountExposure('x')).toBeUndefined();
  });
});
