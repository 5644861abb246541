/** Sentences that a proposed plan carries in `context.assumptions`, in the language of the run. */

type Language = 'en' | 'it' | 'de';

export interface Phrases {
  readonly sample: string;
  readonly fixedThreshold: (mm: number) => string;
  readonly statedThreshold: (mm: number) => string;
  readonly statedPercentile: (percentile: number) => string;
  readonly hours: (hours: number) => string;
  readonly wholeWindow: string;
  readonly screening: string;
  readonly noTerrain: string;
  readonly elsewhere: (subjects: string) => string;
  readonly unused: (name: string) => string;
}

const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    sample: 'No data was given: the bundled synthetic sample stands in; the results are marked synthetic.',
    fixedThreshold: (mm) =>
      `Threshold ${mm} mm over the window, fixed: a percentile would mark the wettest part even of a dry day. Give thresholdMm to change it.`,
    statedThreshold: (mm) => `Threshold ${mm} mm, as stated in the goal.`,
    statedPercentile: (percentile) => `Threshold: percentile ${percentile} of the surface, as stated in the goal.`,
    hours: (hours) => `"The last ${hours} hours" end when the run starts.`,
    wholeWindow: 'No period was stated: all the observations that the source holds are used.',
    screening:
      'Critical areas are a screening class from rain class and slope class, not a forecast and not a warning.',
    noTerrain: 'No terrain is available: critical areas are those above the threshold, without a screening by slope.',
    elsewhere: (subjects) => `Only rain is measured here; nothing is said about ${subjects}.`,
    unused: (name) => `The input "${name}" is not used by this plan.`,
  },
  it: {
    sample:
      'Nessun dato fornito: si usa il campione sintetico incluso; i risultati sono contrassegnati come sintetici.',
    fixedThreshold: (mm) =>
      `Soglia di ${mm} mm sulla finestra, fissa: un percentile indicherebbe la parte più piovosa anche di un giorno asciutto. Si cambia con thresholdMm.`,
    statedThreshold: (mm) => `Soglia di ${mm} mm, come indicato nella richiesta.`,
    statedPercentile: (percentile) =>
      `Soglia: percentile ${percentile} della superficie, come indicato nella richiesta.`,
    hours: (hours) => `«Le ultime ${hours} ore» finiscono all'avvio dell'esecuzione.`,
    wholeWindow: 'Nessun periodo indicato: si usano tutte le osservazioni della fonte.',
    screening:
      'Le aree critiche sono una classe di screening da classe di pioggia e di pendenza, non una previsione né un’allerta.',
    noTerrain: 'Nessun modello del terreno: sono critiche le aree oltre la soglia, senza screening per pendenza.',
    elsewhere: (subjects) => `Qui si misura solo la pioggia; nulla si dice su: ${subjects}.`,
    unused: (name) => `L'input "${name}" non è usato da questo piano.`,
  },
  de: {
    sample:
      'Es wurden keine Daten angegeben: das mitgelieferte synthetische Beispiel wird verwendet; die Ergebnisse sind so gekennzeichnet.',
    fixedThreshold: (mm) =>
      `Schwelle ${mm} mm im Zeitraum, fest: ein Perzentil würde auch an einem trockenen Tag den nassesten Teil markieren. Änderbar mit thresholdMm.`,
    statedThreshold: (mm) => `Schwelle ${mm} mm, wie im Ziel genannt.`,
    statedPercentile: (percentile) => `Schwelle: Perzentil ${percentile} der Oberfläche, wie im Ziel genannt.`,
    hours: (hours) => `„Die letzten ${hours} Stunden“ enden mit dem Start des Laufs.`,
    wholeWindow: 'Kein Zeitraum genannt: alle Beobachtungen der Quelle werden verwendet.',
    screening:
      'Kritische Gebiete sind eine Screening-Klasse aus Regen- und Hangneigungsklasse, keine Vorhersage und keine Warnung.',
    noTerrain: 'Kein Gelände verfügbar: kritisch ist, was über der Schwelle liegt, ohne Screening nach Hangneigung.',
    elsewhere: (subjects) => `Hier wird nur Regen gemessen; nichts wird gesagt über: ${subjects}.`,
    unused: (name) => `Die Eingabe "${name}" wird von diesem Plan nicht verwendet.`,
  },
};

/** Phrases for a BCP 47 tag; English where there are none. */
export function phrasesFor(locale: string): Phrases {
  const language = locale.slice(0, 2).toLowerCase();
  return language === 'it' || language === 'de' ? PHRASES[language] : PHRASES.en;
}
