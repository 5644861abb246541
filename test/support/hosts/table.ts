/** vitest reporter: after the run, a table host × case of all tests made with `caseOn`. */
import type { Reporter, TestModule } from 'vitest/node';

const HOSTS = ['embedded', 'engine'] as const;
const MARKS: Readonly<Record<string, string>> = {
  passed: 'ok',
  failed: 'FAILED',
  skipped: 'skipped',
  pending: 'not run',
};
const NAME = /^(embedded|engine) · (.*)$/s;

function rowsOf(modules: readonly TestModule[]): Map<string, Map<string, string>> {
  const rows = new Map<string, Map<string, string>>();
  for (const module of modules) {
    for (const one of module.children.allTests()) {
      const [, host, name] = NAME.exec(one.name) ?? [];
      if (host === undefined || name === undefined) continue;
      const row = rows.get(name) ?? new Map<string, string>();
      rows.set(name, row);
      const { state } = one.result();
      const seconds = ((one.diagnostic()?.duration ?? 0) / 1_000).toFixed(1);
      const mark = MARKS[state] ?? state;
      row.set(host, state === 'passed' || state === 'failed' ? `${mark} ${seconds} s` : mark);
    }
  }
  return rows;
}

/** The table as text; empty when no such test ran. Exported for its own test. */
export function hostTable(modules: readonly TestModule[]): string {
  const rows = rowsOf(modules);
  if (rows.size === 0) return '';
  const width = Math.max(4, ...[...rows.keys()].map((name) => name.length));
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(width)}  ${cells.map((cell) => cell.padEnd(12)).join('  ')}`.trimEnd();
  const body = [...rows].map(([name, cells]) =>
    line(
      name,
      HOSTS.map((host) => cells.get(host) ?? '–'),
    ),
  );
  const cells = [...rows.values()].map((row) => HOSTS.map((host) => row.get(host) ?? ''));
  const equal = cells.filter((row) => row.every((cell) => cell.startsWith('ok'))).length;
  const summary = `${String(rows.size)} cases, ${String(equal)} passed on both hosts`;
  return [line('case', HOSTS), '-'.repeat(width + 28), ...body, summary].join('\n');
}

export default class HostTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const table = hostTable(modules);
    if (table !== '') console.log(`\n${table}\n`);
  }
}
