import { ELSEWHERE, NEGATION, WORDS, type Intent } from './vocabulary.ts';

/** What a goal says, as far as the vocabulary reaches. */
export interface GoalReading {
  readonly intents: ReadonlySet<Intent>;
  /** Subjects that are named but cannot be measured here. */
  readonly elsewhere: readonly string[];
  readonly hours: number | null;
  readonly thresholdMm: number | null;
  readonly percentile: number | null;
}

const NUMBER = '(\\d{1,5}(?:[.,]\\d{1,3})?)';
const HOURS = new RegExp(`${NUMBER}[\\s-]{0,3}(?:h|hrs?|hours?|or[ae]|stunden?|std)\\b`);
const DAYS = new RegExp(`${NUMBER}[\\s-]{0,3}(?:days?|giorn[oi]|tage?n?)\\b`);
const ONE_DAY = /\b(?:last|past|ultim[oa]|letzten?|vergangenen?) (?:day|giorno|giornata|tag(?:es)?)\b/;
const ONE_WEEK = /\b(?:last|past|ultima|letzten?|vergangenen?) (?:week|settimana|woche)\b/;
const MILLIMETRES = new RegExp(`${NUMBER}[\\s-]{0,3}(?:mm|millimet\\w{1,4})\\b`);
const PERCENTILE = new RegExp(
  `${NUMBER}(?:st|nd|rd|th|esimo|°|º|\\.)?[\\s-]{0,3}(?:percentiles?|percentil[ei]|perzentils?)\\b`,
);

const numberOf = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text.replace(',', '.'));

/** Lower case, without accents, one space between words; at most 4 000 characters are read. */
function plain(goal: string): string {
  return goal
    .slice(0, 4000)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ß', 'ss')
    .replace(/[’`]/g, "'")
    .toLowerCase()
    .replace(/\s+/g, ' ');
}

function hoursIn(text: string): number | null {
  const hours = numberOf(HOURS.exec(text)?.[1]);
  if (hours !== null) return hours;
  const days = numberOf(DAYS.exec(text)?.[1]);
  if (days !== null) return days * 24;
  if (ONE_DAY.test(text)) return 24;
  return ONE_WEEK.test(text) ? 168 : null;
}

/** Reads a goal. Deterministic and without side effects; a negated word ("without publishing") does not count. */
export function readGoal(goal: string): GoalReading {
  const text = plain(goal);
  const intents = new Set<Intent>();
  for (const [intent, pattern] of WORDS) {
    for (const match of text.matchAll(pattern)) {
      if (!NEGATION.test(text.slice(Math.max(0, match.index - 40), match.index))) intents.add(intent);
    }
  }
  return {
    intents,
    elsewhere: ELSEWHERE.filter(([, pattern]) => pattern.test(text)).map(([subject]) => subject),
    hours: hoursIn(text),
    thresholdMm: numberOf(MILLIMETRES.exec(text)?.[1]),
    percentile: numberOf(PERCENTILE.exec(text)?.[1]),
  };
}
