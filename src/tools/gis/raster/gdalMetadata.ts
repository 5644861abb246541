/** GDAL_METADATA (tag 42112): free pairs, and per band its name and unit, as a small XML text. */

export interface BandText {
  readonly name: string;
  readonly unit: string;
}

// XML 1.0 knows no control characters but tab and line ends, and no half of a surrogate pair.
/* eslint-disable no-control-regex -- exactly the characters that XML refuses are meant */
const NOT_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/* eslint-enable no-control-regex */

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

const escapeXml = (text: string): string => text.replace(NOT_XML, ' ').replace(/[&<>"']/g, (c) => ENTITIES.get(c) ?? c);

const unescapeXml = (text: string): string =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&');

/** Text of an item. GDAL escapes it once itself and once more as XML, and undoes both on reading. */
const escapeValue = (text: string): string => escapeXml(escapeXml(text));
const unescapeValue = (text: string): string => unescapeXml(unescapeXml(text));

/** Writes the XML text; pairs sorted by key, control characters replaced by spaces, so equal input gives equal text. */
export function writeGdalMetadata(pairs: Readonly<Record<string, string>>, bands: readonly BandText[]): string {
  const items = Object.keys(pairs)
    .sort()
    .map((key) => `<Item name="${escapeXml(key)}">${escapeValue(pairs[key] ?? '')}</Item>`);
  bands.forEach((band, index) => {
    items.push(`<Item name="DESCRIPTION" sample="${index}" role="description">${escapeValue(band.name)}</Item>`);
    items.push(`<Item name="UNITTYPE" sample="${index}" role="unittype">${escapeValue(band.unit)}</Item>`);
  });
  return `<GDALMetadata>\n${items.join('\n')}\n</GDALMetadata>\n`;
}

export interface GdalMetadata {
  readonly pairs: Readonly<Record<string, string>>;
  readonly descriptions: ReadonlyMap<number, string>;
  readonly units: ReadonlyMap<number, string>;
}

/** Reads what {@link writeGdalMetadata} and GDAL write; anything else in the text is passed over. Linear in its length. */
export function readGdalMetadata(text: string): GdalMetadata {
  const pairs = new Map<string, string>();
  const descriptions = new Map<number, string>();
  const units = new Map<number, string>();
  for (const chunk of text.split('<Item ').slice(1)) {
    const open = chunk.indexOf('>');
    const close = chunk.indexOf('</Item>');
    if (open < 0 || close < open) continue;
    const head = chunk.slice(0, open);
    const value = unescapeValue(chunk.slice(open + 1, close));
    const attribute = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1];
    const name = attribute('name');
    const sample = attribute('sample');
    const role = attribute('role');
    if (name === undefined) continue;
    if (sample === undefined) pairs.set(unescapeXml(name), value);
    else if (role === 'description') descriptions.set(Number(sample), value);
    else if (role === 'unittype') units.set(Number(sample), value);
  }
  return { pairs: Object.fromEntries([...pairs].sort(([a], [b]) => (a < b ? -1 : 1))), descriptions, units };
}
