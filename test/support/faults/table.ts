import type { CellResult } from './bench.ts';
import { FAULT_KINDS } from './points.ts';

/** Point × kind over all scenarios: `ok n`, or `FAILED m of n`. */
export function cellTable(results: readonly CellResult[]): string {
  const points = [...new Set(results.map(({ fault }) => fault?.point ?? ''))].sort();
  const width = Math.max(5, ...points.map((point) => point.length));
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(width)}  ${cells.map((cell) => cell.padEnd(17)).join('  ')}`.trimEnd();
  const cellOf = (point: string, kind: string): string => {
    const all = results.filter(({ fault }) => fault?.point === point && fault.kind === kind);
    const failed = all.filter(({ problems }) => problems.length > 0).length;
    if (all.length === 0) return '–';
    return failed === 0 ? `ok ${String(all.length)}` : `FAILED ${String(failed)} of ${String(all.length)}`;
  };
  const rows = points.map((point) =>
    line(
      point,
      FAULT_KINDS.map((kind) => cellOf(point, kind)),
    ),
  );
  return [line('point', FAULT_KINDS), '-'.repeat(width + 4 * 19), ...rows].join('\n');
}
