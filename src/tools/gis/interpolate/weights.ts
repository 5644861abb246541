/**
 * Shepard's weight d⁻ᵖ from the squared distance (Shepard 1968, "A two-dimensional interpolation function for
 * irregularly-spaced data"). Even and odd whole powers do without `Math.pow`, which is slow and not the same everywhere.
 */
export function weightFunction(power: number): (squared: number) => number {
  if (power === 1) return (squared) => 1 / Math.sqrt(squared);
  if (power === 2) return (squared) => 1 / squared;
  if (power === 3) return (squared) => 1 / (squared * Math.sqrt(squared));
  if (power === 4) return (squared) => 1 / (squared * squared);
  const half = -power / 2;
  return (squared) => Math.pow(squared, half);
}

/**
 * Squared distance in m² up to which two positions are one place (a thousandth of a millimetre): far below the accuracy
 * of any position, far above where weights overflow.
 */
export const SAME_PLACE = 1e-12;
