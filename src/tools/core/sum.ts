/**
 * Sum with Neumaier's compensation: the rounding error of every addition is carried along and added at the end, so that
 * the result does not depend on large terms that cancel (A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur
 * Summation endlicher Summen", ZAMM 54 (1974) 39–51).
 */
export function compensatedSum(values: Iterable<number>): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}
