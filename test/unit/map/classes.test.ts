import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/plan/errors.ts';
import { classify, headline } from '../../../src/tools/gis/map/exposureClasses.ts';
import { LABELS } from '../../../src/tools/gis/map/labels.ts';
import { SYMBOL_PATHS } from '../../../src/tools/gis/map/symbols.ts';

const { en, it: italian } = LABELS;
const exposure = (name: string): Record<string, unknown> => ({ class: name, probability: 0.5 });
const screening = (name: string | null, rank: number | null): Record<string, unknown> => ({ screeningClass: name, screeningRank: rank }); // prettier-ignore
const refused = (run: () => unknown): ToolError => {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolError) return error;
  }
  throw new Error('was not refused');
};

describe('classes of the features', () => {
  it('counts the four exposure classes, also those that do not occur', () => {
    const { mode, classes, indexes } = classify(['below', 'exceeds', 'below', 'notAssessed'].map(exposure), en, 'en', {
      screening: false,
    });
    expect(mode).toBe('exposure');
    expect(classes.map(({ key, count }) => [key, count])).toEqual([['exceeds', 1], ['undecided', 0], ['below', 2], ['notAssessed', 1]]); // prettier-ignore
    expect(indexes).toEqual([2, 0, 2, 3]);
  });

  it('orders screening classes by rank, highest first, not assessed last, names as the matrix gives them', () => {
    const all = [
      screening('low', 0),
      screening(null, null),
      screening('severe', 4),
      screening('low', 0),
      screening('mid', 2),
    ];
    const { mode, classes, indexes } = classify(all, en, 'en', { screening: false });
    expect(mode).toBe('screening');
    expect(classes.map(({ key, count }) => [key, count])).toEqual([['severe', 1], ['mid', 1], ['low', 2], [null, 1]]); // prettier-ignore
    expect(indexes).toEqual([2, 3, 0, 2, 1]);
  });

  it('tells all classes apart by colour, by symbol and by dash', () => {
    const all = [0, 1, 2, 3, 4].map((rank) => screening(`c${rank}`, rank));
    for (const { classes } of [
      classify([], en, 'en', { screening: false }),
      classify(all, en, 'en', { screening: true }),
    ]) {
      for (const key of ['colour', 'symbol'] as const) {
        expect(new Set(classes.map((one) => one[key])).size, key).toBe(classes.length);
      }
      expect(new Set(classes.map(({ dash }) => dash.join(' '))).size).toBe(classes.length);
    }
    expect(new Set(Object.values(SYMBOL_PATHS)).size).toBe(Object.keys(SYMBOL_PATHS).length);
  });

  it('does not take an asset column called "class" for an exposure class', () => {
    const roads = [
      { ...screening('high', 2), class: 'motorway' },
      { ...screening('low', 0), class: 'exceeds' },
    ];
    expect(classify(roads, en, 'en', { screening: false }).mode).toBe('screening');
  });

  it('translates the usual class names and keeps others', () => {
    const { classes } = classify([screening('high', 2), screening('zona rossa', 3)], italian, 'it', {
      screening: false,
    });
    expect(classes.map((one) => one.label)).toEqual(['zona rossa', 'alta', 'Non valutato']);
  });

  it('refuses features without any class, naming the first', () => {
    const error = refused(() => classify([exposure('below'), { name: 'x' }], en, 'en', { screening: false }));
    expect(error.code).toBe('STATE_INVALID');
    expect(error.message).toContain('Feature 0');
    expect(refused(() => classify([exposure('maybe')], en, 'en', { screening: false })).code).toBe('STATE_INVALID');
  });

  it('refuses a class without rank and a rank with two names', () => {
    expect(refused(() => classify([screening('high', null)], en, 'en', { screening: false })).message).toContain(
      'no rank',
    );
    expect(
      refused(() => classify([screening('a', 1), screening('b', 1)], en, 'en', { screening: false })).message,
    ).toContain('Rank 1');
  });

  it('keeps class names of object members apart', () => {
    const { classes } = classify([screening('constructor', 1), screening('__proto__', 0)], en, 'en', {
      screening: false,
    });
    expect(classes.map(({ key, count }) => [key, count])).toEqual([['constructor', 1], ['__proto__', 1], [null, 0]]); // prettier-ignore
  });
});

describe('headline', () => {
  const say = (all: Record<string, unknown>[], mm: number | null = null): string =>
    headline(classify(all, en, 'en', { screening: false }), en, 'en', mm);

  it('says at least N, up to M; M holds what cannot be ruled out: undecided and not assessed', () => {
    const all = ['exceeds', 'exceeds', 'undecided', 'below', 'notAssessed'].map(exposure);
    expect(say(all, 30)).toBe('At least 2, up to 4 of 5 assets exceed 30 mm of rain (1 undecided, 1 not assessed).');
    expect(say(all, 32.55)).toContain('32.5 mm');
    expect(say(['below'].map(exposure))).toBe('At least 0, up to 0 of 1 assets exceed the rain threshold.');
  });

  it('speaks of the highest class of a screening', () => {
    expect(say([screening('high', 2), screening('low', 0), screening(null, null)])).toBe(
      'At least 1, up to 2 of 3 assets in screening class “high” (1 not assessed).',
    );
  });

  it('names the highest class that occurs when the matrix has higher ones, and keeps those in the legend', () => {
    const names = ['low', 'high', 'very high'];
    const classified = classify([screening('high', 1), screening('low', 0)], en, 'en', { screening: true, names });
    expect(classified.classes.map(({ key, count }) => [key, count])).toEqual([['very high', 0], ['high', 1], ['low', 1], [null, 0]]); // prettier-ignore
    expect(headline(classified, en, 'en', null)).toBe(
      'At least 1, up to 1 of 2 assets in screening class “high” or higher.',
    );
  });

  it('has something to say when nothing was assessed and when there is nothing', () => {
    expect(say([screening(null, null)])).toBe('1 not assessed.');
    expect(say([])).toBe('No assets.');
  });

  it('does not read a class name as a pattern', () => {
    expect(say([screening('$& $1 {n}', 1)])).toContain('“$& $1 {n}”');
  });
});
