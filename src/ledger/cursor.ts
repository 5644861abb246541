/** Opaque cursors of lists: a position, not a promise; what is not ours is refused. */
import { z } from 'zod';
import { CursorInvalid } from './port.ts';

const position = z.tuple([z.int().nonnegative(), z.string().min(1).max(64)]);

/** Position after a run in the list newest first. */
export function encodeCursor(createdAt: number, runId: string): string {
  return Buffer.from(JSON.stringify([createdAt, runId])).toString('base64url');
}

/** Throws `CursorInvalid`. */
export function decodeCursor(cursor: string): { readonly createdAt: number; readonly runId: string } {
  try {
    const [createdAt, runId] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { createdAt, runId };
  } catch (error) {
    throw new CursorInvalid('This cursor is not one of ours.', { cause: error });
  }
}
