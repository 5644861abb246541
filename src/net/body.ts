import { ToolError } from '../plan/errors.ts';

const tooLarge = (maxBytes: number): ToolError =>
  new ToolError('RESULT_TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`);

interface Body extends AsyncIterable<Uint8Array> {
  destroy(): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/** Drops a body unread. Without a listener, the abort that this causes would end the process. */
export function discard(body: Pick<Body, 'destroy' | 'on'>): void {
  body.on('error', () => undefined);
  body.destroy();
}

/** Reads a body up to `maxBytes`; a declared length above it is refused unread. Throws `RESULT_TOO_LARGE`. */
export async function readBody(body: Body, declared: string | undefined, maxBytes: number): Promise<Uint8Array> {
  if (declared !== undefined && Number(declared) > maxBytes) {
    discard(body);
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body) {
    total += chunk.byteLength;
    if (total > maxBytes) {
      discard(body);
      throw tooLarge(maxBytes);
    }
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
