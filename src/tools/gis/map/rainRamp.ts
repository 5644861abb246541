/** Classed colour ramp of the rain surface: readable in a legend, small as a palette picture. */
import { niceCeil } from './niceSteps.ts';

export interface RampClass {
  /** Inclusive lower and exclusive upper bound in the surface's unit; the last class includes its upper bound. */
  readonly from: number;
  readonly to: number;
  readonly colour: string;
}

/** Light to dark blue: ordered by lightness, so it also works in grey and for colour-blind readers. */
const BLUES = [
  '#f4f8fd',
  '#dfeaf6',
  '#c6dbef',
  '#a6cbe6',
  '#7fb5da',
  '#589cca',
  '#3a80b9',
  '#2262a0',
  '#154580',
  '#0b2a56',
];
const MAX_CLASSES = BLUES.length - 1;

/** Five to nine classes of a round width from 0 (rain) to the largest value. `max` ≤ 0 gives the single class "0 to 1". */
export function rainRamp(max: number): RampClass[] {
  const width = max > 0 ? niceCeil(max / MAX_CLASSES) : 1;
  const count = max > 0 ? Math.max(1, Math.ceil(max / width - 1e-9)) : 1;
  return Array.from({ length: count }, (_, index) => ({
    from: Number((index * width).toPrecision(12)),
    to: Number(((index + 1) * width).toPrecision(12)),
    colour: BLUES[count === 1 ? 2 : Math.round((index * (BLUES.length - 1)) / (count - 1))] ?? '#0b2a56',
  }));
}

/** Index of the class that holds `value`; values outside go to the nearest class. */
export function rampIndex(value: number, ramp: readonly RampClass[]): number {
  const width = (ramp[0]?.to ?? 1) - (ramp[0]?.from ?? 0);
  return Math.max(0, Math.min(ramp.length - 1, Math.floor(value / width + 1e-9)));
}
