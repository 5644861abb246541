import { ToolError } from '../../../plan/errors.ts';

/** Lowest and highest heights on Earth, sea floor included, with room: anything else is not a height in metres. */
const LOWEST_M = -11_500;
const HIGHEST_M = 9_000;
/** Values that stand for "nothing here" in files that forgot to say so (O-37). */
const SENTINELS = [-9999, -32768, -32767, -99999, -3.4028234663852886e38] as const;

/** EPSG units of height: metre, international foot, US survey foot. */
const METRES_PER_UNIT: ReadonlyMap<number, number> = new Map([
  [9001, 1],
  [9002, 0.3048],
  [9003, 1200 / 3937],
]);

/**
 * Factor to metres for the unit that the file declares for its heights; 1 when it declares none.
 * @throws ToolError `UNIT_MISMATCH` for a unit that is not known
 */
export function metresPer(verticalUnit: number | null): number {
  if (verticalUnit === null) return 1;
  const factor = METRES_PER_UNIT.get(verticalUnit);
  if (factor === undefined)
    throw new ToolError('UNIT_MISMATCH', `The heights are in EPSG unit ${verticalUnit}; metres and feet are taken.`);
  return factor;
}

/**
 * Heights in metres, checked: no undeclared sentinel, nothing outside what Earth has, at least one value.
 * @throws ToolError `UPLOAD_INVALID`, `EMPTY_RESULT`
 */
export function checkedHeights(values: Float32Array, factor: number): Float32Array {
  let some = false;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    some = true;
    if (SENTINELS.some((sentinel) => value === Math.fround(sentinel))) {
      throw new ToolError(
        'UPLOAD_INVALID',
        `The terrain holds ${value}, which usually means "no data", but the file does not declare it as such. Declare the no-data value and upload it again.`,
      );
    }
    const metres = value * factor;
    if (!(metres >= LOWEST_M && metres <= HIGHEST_M)) {
      throw new ToolError(
        'UPLOAD_INVALID',
        `The terrain holds a height of ${metres} m. Check its unit and its no-data value.`,
      );
    }
  }
  if (!some) throw new ToolError('EMPTY_RESULT', 'The terrain has no cell with a height.');
  return factor === 1 ? values : values.map((value) => value * factor);
}
