import { ToolError } from '../../../plan/errors.ts';
import type { Heading, RainUnit } from '../../upload/headers.ts';
import { excerpt } from '../../upload/limits.ts';
import type { Table } from '../../upload/table.ts';
import type { RainSchema } from './args.ts';

/** Millimetres per unit. 1 in = 25.4 mm exactly (international inch). */
export const MM_PER: Readonly<Record<RainUnit, number>> = { mm: 1, tenth_mm: 0.1, cm: 10, m: 1000, in: 25.4 };

/** Words for units in running text; `in` and `m` alone are left out: they are also ordinary words. */
const TEXT_UNITS: readonly (readonly [RegExp, RainUnit])[] = [
  [/1\s*\/\s*10\s*mm|tenths?\s+of\s+(?:a\s+)?(?:mm|milli)|zehntel|0[.,]1\s*mm/i, 'tenth_mm'],
  [/\binch(?:es)?\b|\bzoll\b|\bpollici\b/i, 'in'],
  [/\bmm\b|\bmilli?met/i, 'mm'],
  [/\bcm\b|\bcentimet/i, 'cm'],
];

const ABOUT_UNITS = /\b(?:units?|einheit(?:en)?|unit[aà]|unit[ée]s?|unidad(?:es)?)\b/i;
const ABOUT_RAIN = /precip|rain|niederschlag|regen|pioggi|pluie|lluvia/i;

/** Rain unit that a comment or preamble line states, else null: `Einheit: mm`, `units: precipitation in inches, …`. */
export function unitInNote(line: string): RainUnit | null {
  if (line.length > 2000 || !ABOUT_UNITS.test(line)) return null;
  const parts = line.split(/[,;]/);
  const part = parts.find((piece) => ABOUT_RAIN.test(piece)) ?? parts.find((piece) => ABOUT_UNITS.test(piece)) ?? line;
  return TEXT_UNITS.find(([pattern]) => pattern.test(part))?.[1] ?? null;
}

/**
 * The unit by schema, format, heading, or notes.
 * @throws UNIT_MISMATCH when nobody states it, or heading and notes disagree.
 */
export function statedUnit(table: Table, schema: RainSchema, heading: Heading, column: string): RainUnit {
  if (schema.unit !== undefined) return schema.unit;
  const byFormat = table.fixed.unit;
  if (byFormat === 'mm' || byFormat === 'in' || byFormat === 'cm') return byFormat;
  const notes = new Set(table.notes.map(unitInNote).filter((unit) => unit !== null));
  const [note] = notes;
  const disagree = heading.unit === null ? notes.size > 1 : note !== undefined && !notes.has(heading.unit);
  const stated = heading.unit ?? note;
  if (stated === undefined || disagree) {
    const why = disagree
      ? 'Heading and comments state different units'
      : `The column "${excerpt(column)}" states no unit`;
    throw new ToolError(
      'UNIT_MISMATCH',
      `${why}: state schema.unit (mm, tenth_mm, cm, m or in). Size of the numbers does not decide it.`,
    );
  }
  return stated;
}
