/**
 * Arguments of which a part is not known yet, held against the tool's schema: by the validator before a run, and for
 * every item when a `forEach` is expanded. What only a later result can decide is left to that time.
 */
import type { z } from 'zod';

/** Stands for a value that only the run will know. */
export class Unknown {
  readonly unknown = true;
}

export type ValuePath = readonly (string | number)[];

export interface KnownParse {
  /** What the schema refuses, beside issues that only come of unknown values. */
  readonly issues: readonly z.core.$ZodIssue[];
  /** Top-level arguments that hold no unknown value; `undefined` when something is wrong. */
  readonly literal: Readonly<Record<string, unknown>> | undefined;
}

const startsWith = (path: ValuePath, prefix: ValuePath): boolean => prefix.every((segment, i) => path[i] === segment);

/** @param unknowns where in `resolved` marks stand. */
export function parseKnown(input: z.ZodType, resolved: unknown, unknowns: readonly ValuePath[]): KnownParse {
  let parsed: ReturnType<z.ZodType['safeParse']>;
  try {
    parsed = input.safeParse(resolved);
  } catch {
    // A schema that computes on a value which is not known yet: the run parses again with all values.
    return { issues: [], literal: withoutUnknown(resolved) };
  }
  if (parsed.success) return { issues: [], literal: withoutUnknown(parsed.data) };
  const issues = parsed.error.issues.filter((issue) => {
    const path = issue.path as ValuePath;
    if (unknowns.some((unknown) => startsWith(path, unknown))) return false;
    const aboutWhole = issue.code === 'invalid_union' || issue.code === 'custom';
    return !(aboutWhole && unknowns.some((unknown) => startsWith(unknown, path)));
  });
  return { issues, literal: issues.length === 0 ? withoutUnknown(resolved) : undefined };
}

function withoutUnknown(args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args !== 'object' || args === null) return {};
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !holdsUnknown(value)));
}

/** Whether a mark stands anywhere inside. */
export function holdsUnknown(value: unknown): boolean {
  if (value instanceof Unknown) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsUnknown);
}
