import { z } from 'zod';
import { ToolError } from '../../../plan/errors.ts';
import type { ObservationSet } from '../formats.ts';

const finite = z.number();

const station = z.strictObject({
  id: z.string().min(1),
  x: finite,
  y: finite,
  mm: finite.min(0),
  name: z.string().optional(),
  elevationM: finite.optional(),
  flags: z.array(z.string()).optional(),
});

const observationSet = z.strictObject({
  version: z.literal(1),
  quantity: z.literal('rain'),
  unit: z.literal('mm'),
  valueKind: z.literal('interval'),
  crs: z.string().regex(/^EPSG:\d{4,6}$/),
  window: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
  validated: z.boolean(),
  stations: z.array(station),
  source: z.strictObject({ kind: z.string(), name: z.string(), sha256: z.string(), licence: z.string() }),
  stopped: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});

/** Bytes of an observation set; equal sets give equal bytes. */
export function encodeObservations(set: ObservationSet): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(set));
}

/** Reads what `encodeObservations` wrote. @throws STATE_INVALID for anything else. */
export function decodeObservations(bytes: Uint8Array): ObservationSet {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ToolError('STATE_INVALID', 'The observations are not readable JSON.');
  }
  const parsed = observationSet.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ToolError(
      'STATE_INVALID',
      `The observations do not have the expected shape at ${issue?.path.join('.') ?? '?'}.`,
    );
  }
  // Optional members are absent or defined: JSON has no undefined.
  return parsed.data as ObservationSet;
}

/** Encodes any report: two-space JSON, readable as it is. */
export function encodeReport(report: object): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(report, null, 1)}\n`);
}
