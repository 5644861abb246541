/** Beyond this many standard deviations the tail is below 1e-17. */
const FAR = 8.5;

/**
 * Standard normal distribution function Φ(z), to about 1e-15: Φ(z) = ½ + φ(z) (z + z³/3 + z⁵/(3·5) + …).
 * Marsaglia 2004, "Evaluating the normal distribution", Journal of Statistical Software 11(4).
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return NaN;
  if (z > FAR) return 1;
  if (z < -FAR) return 0;
  let term = z;
  let sum = z;
  for (let odd = 3; Math.abs(term) > 1e-18 * Math.abs(sum); odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  const p = 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  return Math.min(1, Math.max(0, p));
}

/** Probability that the true rain reaches the threshold, for an estimate with normal error; se 0 is a certainty. */
export function probabilityOfReaching(mm: number, se: number, threshold: number): number {
  if (se === 0) return mm >= threshold ? 1 : 0;
  return normalCdf((mm - threshold) / se);
}
