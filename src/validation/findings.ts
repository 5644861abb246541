import type { Finding, FindingCode } from '../plan/finding.ts';
import { foreignCodePoints } from '../plan/ids.ts';

type More = Partial<Pick<Finding, 'nodeId' | 'hint' | 'fix'>>;

/** Makes a finding that refuses. Members that are undefined are left out. */
export function refuse(code: FindingCode, path: string, message: string, more: More = {}): Finding {
  return { code, severity: 'error', path, message, ...more };
}

/** Makes a finding that only warns. */
export function warn(code: FindingCode, path: string, message: string, more: More = {}): Finding {
  return { code, severity: 'warning', path, message, ...more };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorted by path, then code, then message; exact repetitions are dropped. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const sorted = [...findings].sort(
    (a, b) => compare(a.path, b.path) || compare(a.code, b.code) || compare(a.message, b.message),
  );
  return sorted.filter((finding, i) => {
    const before = sorted[i - 1];
    return before?.path !== finding.path || before.code !== finding.code || before.message !== finding.message;
  });
}

/** A name from the plan inside a message: quoted, cut, and with the code points of characters that nobody can see. */
export function quote(text: string): string {
  const short = JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  const foreign = foreignCodePoints(text.slice(0, 80)).filter((point) => point !== 'U+002E' && point !== 'U+0024');
  return foreign.length === 0 ? short : `${short} (contains ${foreign.join(' ')})`;
}

/** Levenshtein distance, at most `limit` + 1. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known name closest to what was written, ignoring case; only for hints, never used in its place (O-29). */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  const wanted = written.slice(0, 64).trim().toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of [...known].sort(compare)) {
    const d = distance(wanted, name.toLowerCase(), limit);
    if (d <= limit && (best === undefined || d < best.distance)) best = { name, distance: d };
  }
  return best?.name;
}

/** `{hint}` with the nearest name, or with the list, or nothing. */
export function nameHint(written: string, known: Iterable<string>, what: string): { readonly hint?: string } {
  const names = [...new Set(known)].sort(compare);
  const near = nearest(written, names);
  if (near !== undefined) return { hint: `did you mean ${JSON.stringify(near)}?` };
  if (names.length === 0) return {};
  const shown = names.slice(0, 40).join(', ');
  return { hint: `${what}: ${shown}${names.length > 40 ? ', …' : ''}` };
}
