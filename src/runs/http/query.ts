import type { HttpRequest } from '@azure/functions';
import { HttpProblem } from './problem.ts';

const DEFAULT_LIMIT = 50;
const MOST = 200;

function whole(request: HttpRequest, name: string, fallback: number, most: number): number {
  const given = request.query.get(name);
  if (given === null || given === '') return fallback;
  if (!/^\d{1,12}$/.test(given) || Number(given) > most) {
    throw new HttpProblem('INVALID_FIELD', `${name} takes a whole number from 0 to ${String(most)}.`, {
      path: `?${name}`,
    });
  }
  return Number(given);
}

/** Paging parameters of a list: `limit` (1–200), `cursor` (opaque), `after` (a seq). */
export function pageOf(request: HttpRequest): {
  readonly limit: number;
  readonly cursor: string | null;
  readonly after: number;
} {
  const cursor = request.query.get('cursor');
  if (cursor !== null && cursor.length > 400)
    throw new HttpProblem('INVALID_FIELD', 'cursor is not one of ours.', { path: '?cursor' });
  return {
    limit: Math.max(1, whole(request, 'limit', DEFAULT_LIMIT, MOST)),
    cursor: cursor === '' ? null : cursor,
    after: whole(request, 'after', 0, Number.MAX_SAFE_INTEGER),
  };
}
