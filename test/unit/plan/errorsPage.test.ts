import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** String members of a union type or keys of a table, as they stand in a source file. */
function codesIn(path: string, from: string, pattern: RegExp): string[] {
  const text = read(path);
  const start = text.indexOf(from);
  expect(start, `${from} in ${path}`).toBeGreaterThanOrEqual(0);
  const end = text.indexOf(';', start);
  return [...text.slice(start, end).matchAll(pattern)].map(([, code]) => code ?? '');
}

const UNION = /\|\s*'([A-Z0-9_]+)'/g;
const page = read('docs/errors.md');
const paragraphs = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [code = '', ...text] = section.split('\n');
      return [code.trim(), text.join('\n').split(/^## /m)[0]?.trim() ?? ''] as const;
    }),
);

describe('docs/errors.md', () => {
  it.each([
    ['findings', codesIn('src/plan/finding.ts', 'export type FindingCode', UNION)],
    ['node errors', codesIn('src/plan/errors.ts', 'export type NodeErrorCode', UNION)],
    ['HTTP', codesIn('src/runs/http/problem.ts', 'export const HTTP_CODES', /^ {2}([A-Z_]+): \[/gm)],
    ['refused observations', codesIn('src/tools/gis/rainfall/codes.ts', 'export type RejectCode', UNION)],
    ['marked observations', codesIn('src/tools/gis/rainfall/codes.ts', 'export type FlagCode', UNION)],
  ])('has a paragraph for every code: %s', (_name, codes) => {
    expect(codes.length).toBeGreaterThan(15);
    expect(codes.filter((code) => !paragraphs.has(code))).toEqual([]);
  });

  it('has a paragraph for every code of the contract that no type names yet', () => {
    const later =
      'JOB_FAILED JOB_TIMED_OUT SUBMIT_UNKNOWN RESULT_EXPIRED LATE_DECISION TOO_FEW_STATIONS COVERAGE_TOO_LOW';
    expect(later.split(' ').filter((code) => !paragraphs.has(code))).toEqual([]);
  });

  it('says each code once, in a paragraph of its own and not in a word', () => {
    const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, code]) => code ?? '');
    expect(headings).toEqual([...new Set(headings)]);
    expect(headings.filter((code) => !/^[A-Z][A-Z0-9_]+$/.test(code))).toEqual([]);
    expect([...paragraphs].filter(([, text]) => text.length < 40).map(([code]) => code)).toEqual([]);
  });
});
