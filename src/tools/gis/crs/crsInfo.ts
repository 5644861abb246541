import { ToolError } from '../../../plan/errors.ts';
import { CRS_ALIASES, CRS_DEFINITIONS, type CrsDefinition } from './definitions.ts';

/** A definition with its canonical text, `EPSG:n`. */
export interface CrsInfo extends CrsDefinition {
  readonly id: string;
}

const URN = /^urn:ogc:def:crs:(?:EPSG:[0-9.]*:(?<epsg>[0-9]{1,6})|OGC:(?:1\.3|0)?:?CRS84)$/i;
const SHORT = /^(?:EPSG:)?(?<epsg>[0-9]{1,6})$/i;
const HTTP = /^https?:\/\/www\.opengis\.net\/def\/crs\/(?:EPSG\/[0-9.]+\/(?<epsg>[0-9]{1,6})|OGC\/1\.3\/CRS84)$/i;

/** The EPSG number in a text as people and files write it, before aliases; undefined when it is none. */
function parseCode(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^(?:OGC:)?CRS84$/i.test(trimmed)) return 4326;
  for (const pattern of [SHORT, URN, HTTP]) {
    const match = pattern.exec(trimmed);
    if (match) return match.groups?.['epsg'] === undefined ? 4326 : Number(match.groups['epsg']);
  }
  return undefined;
}

/** `EPSG:4326`, `4326`, an OGC URN or URL, or Esri's 102100 → what is known about it; undefined when unknown. */
export function findCrs(text: string): CrsInfo | undefined {
  const parsed = parseCode(text);
  if (parsed === undefined) return undefined;
  const definition = CRS_DEFINITIONS.get(CRS_ALIASES.get(parsed) ?? parsed);
  return definition && { ...definition, id: `EPSG:${definition.code}` };
}

/**
 * Like {@link findCrs}, for input that must name a known system.
 * @throws ToolError `INVALID_ARGUMENT` when it does not
 */
export function crsInfo(text: string): CrsInfo {
  const found = findCrs(text);
  if (!found) {
    throw new ToolError(
      'INVALID_ARGUMENT',
      `The coordinate system ${JSON.stringify(text.slice(0, 60))} is not known here. Give an EPSG code such as EPSG:4326, EPSG:32632 or EPSG:2056.`,
    );
  }
  return found;
}

/** Whether two texts name one system (aliases count: 102100 = 3857). False when either is unknown. */
export function sameCrs(a: string, b: string): boolean {
  const left = findCrs(a);
  return left !== undefined && left.code === findCrs(b)?.code;
}
