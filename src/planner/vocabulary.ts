/**
 * The words by which a goal says what it wants, in English, Italian and German. Small on purpose: every entry can be
 * explained, and what is not understood is refused with what is missing instead of guessed.
 */

/** What a goal can be about or ask for. */
export type Intent = 'rain' | 'exposure' | 'map' | 'terrain' | 'slope' | 'critical' | 'surface' | 'publish' | 'notify';

/** Goals are matched in lower case without accents, so `Gelände` reads `gelande`. */
export const WORDS: readonly (readonly [Intent, RegExp])[] = [
  [
    'rain',
    /\b(?:rain|rains|rainy|raining|rainfalls?|precipitations?|piogg\w{1,4}|piov\w{1,8}|precipitazion\w|(?:stark)?regen\w{0,10}|niederschl\w{2,12})\b/g,
  ],
  [
    'exposure',
    /\b(?:expos\w{1,5}|espost\w|esposizion\w|exponier\w{1,5}|betroffen\w{0,2}|affected|colpit\w|assets?|infra\w{0,2}stru[ck]?t\w{2,8}|buildings?|hospitals?|schools?|roads?|bridges?|edifici\w?|ospedal\w|scuol\w|strad\w|pont\w|gebaude|krankenhaus\w{0,3}|schulen?|strassen?|brucken?|municipalit\w{1,3}|comun\w|gemeinden?)\b/g,
  ],
  ['map', /\b(?:maps?|mapp\w|cartin\w|carta|karten?|landkarten?)\b/g],
  ['terrain', /\b(?:terrain|terreno|gelande\w{0,8}|elevations?|altimetri\w|hohenmodell\w{0,2}|dem|dtm)\b/g],
  ['slope', /\b(?:slopes?|steep\w{0,4}|pendenz\w|pendi\w|hangneigung\w{0,2}|neigung\w{0,2}|gefalle)\b/g],
  [
    'critical',
    /\b(?:critical\w{0,2}|critic\w{1,3}|hot ?spots?|screening|risks?|risky|rischi\w?|risik\w{1,3}|kritisch\w{0,2}|gefahr\w{0,6}|pericolos\w)\b/g,
  ],
  ['surface', /\b(?:surfaces?|superfici\w?|interpol\w{1,8}|raster|grids?|griglia|oberflachen?|isohyets?|isoiet\w)\b/g],
  ['publish', /\b(?:publish\w{0,5}|pubblic\w{1,5}|veroffentlich\w{0,5})\b/g],
  ['notify', /\b(?:notif\w{1,8}|e-?mails?|sms|avvis\w{1,4}|benachrichtig\w{0,5})\b/g],
];

/** Subjects that people ask for and this catalog cannot measure. */
export const ELSEWHERE: readonly (readonly [string, RegExp])[] = [
  ['earthquakes', /\b(?:earthquakes?|seismic\w{0,3}|terremot\w|sismic\w{1,3}|erdbeben)\b/],
  ['fire', /\b(?:wildfires?|fires?|incendi\w?|waldbrand\w{0,2}|waldbrande)\b/],
  ['floods', /\b(?:floods?|flooding|flooded|alluvion\w|inondazion\w|esondazion\w|hochwasser|uberschwemmung\w{0,2})\b/],
  ['landslides', /\b(?:landslides?|fran[ae]|smottament\w|erdrutsch\w{0,2})\b/],
  ['wind', /\b(?:winds?|storm surge|vent[oi]|sturm\w{0,3})\b/],
  ['snow', /\b(?:snow\w{0,4}|nev[ei]|nevicat\w|schnee\w{0,5})\b/],
  ['heat', /\b(?:heat ?waves?|temperatures?|temperatur\w|hitze\w{0,6})\b/],
  ['air quality', /\b(?:air quality|pollution|inquinamento|luftqualitat)\b/],
];

/** A word right before another that turns it into its opposite. */
export const NEGATION = /\b(?:no|not|never|without|don'?t|do not|non|senza|mai|nicht|ohne|kein\w{0,2})(?:\s+\w+)?\s*$/;

/** Inputs by which a person hands over a source, by the tool that reads it. */
export const SOURCE_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['gis.readRainfall', ['rainfall', 'rain', 'observations', 'stations', 'gauges', 'precipitation', 'piogge', 'regen']],
  ['gis.loadAssets', ['assets', 'infrastructure', 'places', 'zones', 'infrastrutture', 'infrastruktur']],
  ['gis.loadTerrain', ['terrain', 'dem', 'dtm', 'elevation', 'terreno', 'gelaende']],
]);

/** Ids of the nodes a proposal is made of; a tool without an entry gives its verb. */
export const NODE_IDS: ReadonlyMap<string, string> = new Map([
  ['gis.readRainfall', 'rainfall'],
  ['gis.validateObservations', 'validated'],
  ['gis.interpolate', 'surface'],
  ['gis.loadTerrain', 'terrain'],
  ['gis.slope', 'slope'],
  ['gis.loadAssets', 'assets'],
  ['gis.overlayExposure', 'exposure'],
  ['gis.computeRisk', 'screening'],
  ['gis.intersectRisk', 'intersection'],
  ['gis.reproject', 'reprojected'],
  ['gis.generateMap', 'map'],
]);

/**
 * Tools that an intent speaks for, the strongest intent first: a goal that names exposed things and critical areas gets a
 * map of what is exposed.
 */
export const PREFERRED: readonly (readonly [Intent, readonly string[]])[] = [
  ['exposure', ['gis.overlayExposure', 'gis.loadAssets']],
  ['critical', ['gis.computeRisk']],
  ['map', ['gis.generateMap']],
  ['surface', ['gis.interpolate']],
  ['slope', ['gis.slope']],
  ['terrain', ['gis.loadTerrain']],
  ['rain', ['gis.interpolate', 'gis.validateObservations', 'gis.readRainfall']],
];
