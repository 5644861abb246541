/** The report of a run: checks, headline and text, rendered from recorded facts only. Pure; no model writes here. */
import { z } from 'zod';

export interface ReportCheck {
  readonly nodeId: string;
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

export interface Report {
  readonly runId: string;
  readonly status: string;
  readonly headline: string | null;
  readonly checks: readonly ReportCheck[];
  readonly claims: readonly Claim[];
  readonly text: string;
  readonly locale: string;
  /** True when any source was synthetic: shown as a watermark. */
  readonly synthetic: boolean;
}

/** One node of the plan, as the report tells of it. */
export interface ReportStep {
  readonly id: string;
  readonly tool: string;
  readonly state: string;
  /** Why it was skipped, or failed without ending the run. */
  readonly reason?: string;
  readonly tolerated?: true;
  readonly items?: {
    readonly total: number;
    readonly completed: number;
    readonly failed: number;
    readonly skipped: number;
  };
}

/** A number of the report with the artifact it was recomputed from. */
export interface Claim {
  readonly id: string;
  readonly statement: string;
  readonly value: number;
  readonly unit: string;
  readonly artifact: string;
}

/** The part of an exposure summary that the headline needs (output `summary` of `gis.overlayExposure`). */
export const exposureSummary = z.looseObject({
  byClass: z.record(z.string(), z.looseObject({ count: z.number().int().min(0) })),
  total: z.number().int().min(0),
  atLeast: z.number().int().min(0),
  upTo: z.number().int().min(0),
  threshold: z.looseObject({ mm: z.number() }),
});
export type ExposureSummary = z.infer<typeof exposureSummary>;

type Language = 'it' | 'de' | 'en';
export const languageOf = (locale: string): Language =>
  locale.startsWith('it') ? 'it' : locale.startsWith('de') ? 'de' : 'en';

const number = (value: number, language: Language): string => {
  const text = String(Math.round(value * 10) / 10);
  return language === 'en' ? text : text.replace('.', ',');
};

/** "At least N, up to M": exposure is never yes or no (design §7). */
export function exposureHeadline(summary: ExposureSummary, locale: string): string {
  const language = languageOf(locale);
  const { atLeast, upTo, total } = summary;
  const mm = number(summary.threshold.mm, language);
  const counts = { n: String(atLeast), m: String(upTo), total: String(total) };
  switch (language) {
    case 'it':
      return `Almeno ${counts.n} e fino a ${counts.m} elementi su ${counts.total} sopra ${mm} mm`;
    case 'de':
      return `Mindestens ${counts.n}, höchstens ${counts.m} von ${counts.total} Objekten über ${mm} mm`;
    case 'en':
      return `At least ${counts.n}, up to ${counts.m} of ${counts.total} assets above ${mm} mm`;
  }
}

const BOUNDS = {
  en: { atLeast: 'assets certainly above', upTo: 'assets possibly above (undecided and not assessed included)' },
  it: { atLeast: 'elementi certamente sopra', upTo: 'elementi forse sopra (indecisi e non valutati inclusi)' },
  de: {
    atLeast: 'Objekte sicher über',
    upTo: 'Objekte möglicherweise über (unentschiedene und nicht beurteilte mitgezählt)',
  },
} as const;

/** One bound of the headline as a statement of its own, which a claim backs. */
export function exposureStatement(bound: 'atLeast' | 'upTo', summary: ExposureSummary, locale: string): string {
  const language = languageOf(locale);
  return `${String(summary[bound])} ${BOUNDS[language][bound]} ${number(summary.threshold.mm, language)} mm`;
}

const WORDS = {
  en: {
    none: 'There is no single exposure to report on in this run.',
    failed: 'Failed checks',
    passed: 'checks passed',
    notice: 'Screening, not an official warning.',
    synthetic: 'SYNTHETIC DATA: for demonstration only.',
    nodes: 'Steps',
    without: 'Left out',
    items: 'items',
    ended: { completed: 'completed', failed: 'failed', skipped: 'skipped' },
  },
  it: {
    none: 'In questa esecuzione non c’è una singola esposizione da riferire.',
    failed: 'Controlli non superati',
    passed: 'controlli superati',
    notice: 'Analisi preliminare, non un’allerta ufficiale.',
    synthetic: 'DATI SINTETICI: solo a scopo dimostrativo.',
    nodes: 'Passi',
    without: 'Tralasciati',
    items: 'elementi',
    ended: { completed: 'completati', failed: 'non riusciti', skipped: 'saltati' },
  },
  de: {
    none: 'In diesem Lauf gibt es keine einzelne Betroffenheit zu berichten.',
    failed: 'Nicht bestandene Prüfungen',
    passed: 'Prüfungen bestanden',
    notice: 'Voranalyse, keine amtliche Warnung.',
    synthetic: 'SYNTHETISCHE DATEN: nur zur Veranschaulichung.',
    nodes: 'Schritte',
    without: 'Ausgelassen',
    items: 'Elemente',
    ended: { completed: 'fertig', failed: 'gescheitert', skipped: 'übersprungen' },
  },
} as const;

/** Text for people, line by line, from the facts above and nothing else. */
export function reportText(input: {
  readonly locale: string;
  readonly goal: string;
  readonly headline: string | null;
  readonly checks: readonly ReportCheck[];
  readonly claims: readonly Claim[];
  readonly steps: readonly ReportStep[];
  readonly licences: readonly string[];
  readonly synthetic: boolean;
}): string {
  const words = WORDS[languageOf(input.locale)];
  const failed = input.checks.filter((check) => !check.passed);
  return [
    ...(input.synthetic ? [words.synthetic] : []),
    input.headline ?? words.none,
    words.notice,
    ...input.claims.map((claim) => `- ${claim.statement}`),
    `${words.nodes}: ${input.steps.map((step) => stepText(step, words)).join('; ')}`,
    ...leftOut(input.steps, words),
    `${String(input.checks.length - failed.length)}/${String(input.checks.length)} ${words.passed}`,
    ...(failed.length === 0
      ? []
      : [`${words.failed}:`, ...failed.map((check) => `- ${check.nodeId} ${check.name}: ${check.detail}`)]),
    ...input.licences.map((licence) => `© ${licence}`),
  ].join('\n');
}

function stepText({ id, tool, state, items }: ReportStep, words: (typeof WORDS)[Language]): string {
  const text = `${id} (${tool}) ${state}`;
  if (items === undefined) return text;
  const { completed, failed, skipped } = words.ended;
  const counts = [
    `${String(items.completed)} ${completed}`,
    ...(items.failed === 0 ? [] : [`${String(items.failed)} ${failed}`]),
    ...(items.skipped === 0 ? [] : [`${String(items.skipped)} ${skipped}`]),
  ];
  return `${text}, ${String(items.total)} ${words.items}: ${counts.join(', ')}`;
}

/** Nodes that the result does without, each with its reason: nothing is left out silently. */
function leftOut(steps: readonly ReportStep[], words: (typeof WORDS)[Language]): readonly string[] {
  const without = steps.filter((step) => step.reason !== undefined);
  if (without.length === 0) return [];
  return [`${words.without}:`, ...without.map((step) => `- ${step.id} ${step.state}: ${step.reason ?? ''}`)];
}
