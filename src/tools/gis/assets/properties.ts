import type { FeaturesType } from '../../../catalog/portTypes.ts';
import { isRecord } from '../../upload/jsonGuard.ts';
import { excerpt } from '../../upload/limits.ts';
import type { AssetFindings } from './assetReport.ts';

/** A property value after reading: scalars stay, nested values become their JSON text. */
export type PropertyValue = string | number | boolean | null;
export type Properties = Record<string, PropertyValue>;

/**
 * Properties of untrusted features as plain data. Names and values are never interpreted; what JSON cannot carry safely is
 * repaired (lone surrogates) or left out (`__proto__`), and counted.
 */
export function cleanProperties(value: unknown, findings: AssetFindings): Properties {
  const pairs: [string, PropertyValue][] = [];
  if (!isRecord(value)) return {};
  for (const [name, member] of Object.entries(value)) {
    // Own property here, but many a consumer would set it as a prototype.
    if (name === '__proto__') findings.flag('PROPERTY_DROPPED');
    else pairs.push([wellFormed(name, findings), scalar(member, findings)]);
  }
  return Object.fromEntries(pairs);
}

function scalar(member: unknown, findings: AssetFindings): PropertyValue {
  if (typeof member === 'string') return wellFormed(member, findings);
  if (typeof member === 'number' || typeof member === 'boolean') return member;
  return member === null || member === undefined ? null : wellFormed(JSON.stringify(member), findings);
}

/** Lone surrogates become U+FFFD: they cannot be written as UTF-8. */
export function wellFormed(text: string, findings: AssetFindings): string {
  if (text.isWellFormed()) return text;
  findings.flag('TEXT_REPAIRED');
  return text.toWellFormed();
}

const MAX_FIELDS = 200;

/** Field names with the type that all values share, for the port type; `text` where they differ. */
export function fieldsOf(list: readonly Properties[]): FeaturesType['fields'] {
  const fields = new Map<string, { type: string }>();
  for (const properties of list) {
    for (const [name, value] of Object.entries(properties)) {
      if (value === null) continue;
      const type = typeof value === 'string' ? 'text' : typeof value;
      const before = fields.get(name);
      if (before === undefined && fields.size < MAX_FIELDS) fields.set(excerpt(name), { type });
      else if (before !== undefined && before.type !== type) before.type = 'text';
    }
  }
  return Object.fromEntries([...fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** Unique feature ids: the feature's own, else its `id` property, else `asset-<n>`; repeated ones get a suffix. */
export class FeatureIds {
  readonly #taken = new Set<string>();
  readonly #findings: AssetFindings;

  constructor(findings: AssetFindings) {
    this.#findings = findings;
  }

  next(own: unknown, properties: Properties, at: number): string {
    const stated = [own, properties['id']].find(
      (value): value is string | number => (typeof value === 'string' && value !== '') || typeof value === 'number',
    );
    if (stated === undefined) this.#findings.flag('ID_GENERATED');
    const base = stated === undefined ? `asset-${at}` : String(stated).toWellFormed();
    let id = base;
    for (let n = 2; this.#taken.has(id); n += 1) id = `${base}~${n}`;
    if (id !== base) this.#findings.flag('DUPLICATE_ID');
    this.#taken.add(id);
    return id;
  }
}
