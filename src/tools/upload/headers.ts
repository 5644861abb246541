/** What a column holds, told from its heading alone. Headings are data: they are compared, never interpreted further. */
export type ColumnRole =
  'id' | 'name' | 'lon' | 'lat' | 'easting' | 'northing' | 'altitude' | 'rain' | 'time' | 'quality' | 'geometry';

export type RainUnit = 'mm' | 'tenth_mm' | 'cm' | 'm' | 'in';

export interface Heading {
  readonly role: ColumnRole | null;
  /** A role that only holds when no other column claims it (`station` as id, `value` as rain, `x`). */
  readonly weak: boolean;
  readonly unit: RainUnit | null;
  /** `EPSG:n`. */
  readonly crs: string | null;
  readonly kind: 'counter' | 'rate' | null;
  readonly utc: boolean;
  /** For time columns: the heading names a date or a time of day alone. */
  readonly part: 'date' | 'clock' | null;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const STRONG: readonly (readonly [ColumnRole, ReadonlySet<string>])[] = [
  ['quality', words('quality qflag qc flag stato qualita qualitat validita mflag validity')],
  ['name', words('name nome nom nombre bezeichnung stationsname denominazione stationname label')],
  [
    'rain',
    words(
      'rain rainfall precip precipitation prcp niederschlag regen pioggia pioggie precipitazione precipitazioni pluie ' +
        'precipitations lluvia precipitacion rr tp regenmenge niederschlagshohe rainmm cumulata pcp pluviometria',
    ),
  ],
  [
    'time',
    words(
      'time datetime date timestamp zeit zeitpunkt datum data ora dataora heure fecha hora messtag tag day uhrzeit',
    ),
  ],
  ['lon', words('lon longitude lng long longitudine lange langengrad laenge longitud')],
  ['lat', words('lat latitude latitudine breite breitengrad latitud')],
  ['easting', words('easting ost rechtswert est utme xcoord coordx east')],
  ['northing', words('northing nord hochwert utmn ycoord coordy north')],
  ['altitude', words('altitude elevation alt elev hohe hoehe quota height altitudine seehohe altura')],
  ['geometry', words('geometry geom wkt wkb')],
  [
    'id',
    words(
      'id nr no num numero code codice kennung stationid idsensore idstazione stationsnummer identifier wmo usaf stn kennziffer',
    ),
  ],
];

const WEAK: readonly (readonly [ColumnRole, ReadonlySet<string>])[] = [
  ['id', words('station stations stazione gauge site sensor sensore messstation pluviometro')],
  ['rain', words('value valore wert valeur valor amount mm')],
];

const COUNTER = /(?:^| )(?:running total|counter|cumul\w*|zahlerstand|contatore|accumulated|accum)(?: |$)/;
const RATE = /mm\s*\/\s*h|mm_?per_?h|\bmmh\b|mm h-1|intensit/i;

/** Lower-case words of a heading without accents: `Höhe_m_ü_M` → `hohe m u m`, `stationId` → `station id`. */
export function headingWords(heading: string): string[] {
  return heading
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Reads one heading: role, and what it states about unit, CRS and kind of value. */
export function readHeading(heading: string): Heading {
  const list = headingWords(heading);
  const joined = list.join(' ');
  const counter = COUNTER.test(joined);
  const { role, weak } = roleOf(list, counter);
  return {
    role,
    weak,
    unit: role === 'rain' ? headingUnit(heading, list) : null,
    crs: headingCrs(heading, list),
    kind: counter ? 'counter' : RATE.test(heading) ? 'rate' : null,
    utc: list.includes('utc') || list.includes('gmt'),
    part: role === 'time' ? timePart(list) : null,
  };
}

function roleOf(list: readonly string[], counter: boolean): { role: ColumnRole | null; weak: boolean } {
  for (const [role, set] of STRONG) {
    if (list.some((word) => set.has(word))) return { role, weak: false };
  }
  if (counter) return { role: 'rain', weak: false };
  const first = list[0] ?? '';
  if (first === 'x' || first === 'e') return { role: 'easting', weak: true };
  if (first === 'y' || first === 'n') return { role: 'northing', weak: true };
  if (first === 'z') return { role: 'altitude', weak: true };
  for (const [role, set] of WEAK) {
    if (list.some((word) => set.has(word))) return { role, weak: true };
  }
  return { role: null, weak: false };
}

function timePart(list: readonly string[]): 'date' | 'clock' | null {
  if (list.some((word) => ['date', 'datum', 'data', 'fecha', 'messtag', 'tag', 'day'].includes(word))) return 'date';
  return list.some((word) => ['ora', 'uhrzeit', 'heure', 'hora', 'time', 'zeit'].includes(word)) ? 'clock' : null;
}

/** Unit named after the quantity: `rain_mm`, `precip_in`, `Niederschlag (1/10 mm)`, `rain_tenth_mm`. */
function headingUnit(heading: string, list: readonly string[]): RainUnit | null {
  const rest = list.slice(1);
  const has = (...names: string[]): boolean => rest.some((word) => names.includes(word));
  if (has('mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres', 'millimetri') || list[0] === 'rainmm') {
    const tenth = has('tenth', 'tenths', 'zehntel', 'decimi') || /1\s*\/\s*10\s*mm|0[.,]1\s*mm/i.test(heading);
    return tenth ? 'tenth_mm' : 'mm';
  }
  if (list[0] === 'mm') return 'mm';
  if (/kg\s*m-2|kg\s*\/\s*m/i.test(heading)) return 'mm';
  if (has('in', 'inch', 'inches', 'zoll', 'pollici')) return 'in';
  if (has('cm', 'centimeter', 'centimetre')) return 'cm';
  return has('m', 'meter', 'metre', 'metres', 'meters') ? 'm' : null;
}

function headingCrs(heading: string, list: readonly string[]): string | null {
  const stated = epsgCodes(heading);
  if (stated.length === 1) return stated[0] ?? null;
  if (list.includes('lv95')) return 'EPSG:2056';
  if (list.includes('lv03')) return 'EPSG:21781';
  if (list.includes('wgs84')) return 'EPSG:4326';
  const utm = list.map((word) => /^utm(\d{1,2})n$/.exec(word)?.[1]).find((zone) => zone !== undefined);
  const zone = Number(utm ?? 0);
  return zone >= 1 && zone <= 60 ? `EPSG:${32600 + zone}` : null;
}

/** Codes that a text states as `EPSG:n`, `EPSG n` or an OGC URN; unique, in order. 102100 and 900913 are 3857 (O-38). */
export function epsgCodes(text: string): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(/EPSG(?:\s+|\s*:\s*(?:[\d.]*:)?\s*)(\d{4,6})\b/gi)) {
    const code = Number(match[1]);
    found.add(`EPSG:${code === 102100 || code === 900913 ? 3857 : code}`);
  }
  if (/OGC:1\.3:CRS84|OGC::CRS84/i.test(text)) found.add('EPSG:4326');
  return [...found];
}
