import type { HttpRequest } from '@azure/functions';
import { parseStrict } from '../../plan/strictJson.ts';
import type { JsonValue } from '../../plan/types.ts';
import { HttpProblem, isHttpCode } from './problem.ts';

/** Limits of a JSON body: those of a plan (design §2), plus room for the envelope around it. */
export const MAX_JSON_BYTES = 256 * 1024;

/** A caller who is still sending would see a reset instead of a refusal: so much of the rest is taken and dropped. */
const MOST_DROPPED = 8 * 1024 * 1024;
const DROP_MS = 5_000;

/** Reads a body of at most `maxBytes`; 413 as soon as it grows beyond. */
export async function readBody(request: HttpRequest, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyChunks(request)) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw new HttpProblem('BODY_TOO_LARGE', `The body may have at most ${String(maxBytes)} bytes.`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/**
 * The body as it arrives; empty when there is none. A reader that stops early (a refusal) does not cut the connection:
 * a bounded rest is dropped first, so that the caller hears the answer.
 */
export async function* bodyChunks(request: HttpRequest): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const source = (request.body as unknown as AsyncIterable<Uint8Array | string>)[Symbol.asyncIterator]();
  let open = true;
  try {
    for (;;) {
      open = false;
      const next = await source.next();
      if (next.done === true) return;
      open = true;
      yield typeof next.value === 'string' ? new TextEncoder().encode(next.value) : next.value;
    }
  } finally {
    if (open) await dropRest(source);
  }
}

async function dropRest(source: AsyncIterator<Uint8Array | string>): Promise<void> {
  const late = AbortSignal.timeout(DROP_MS);
  const tooLate = new Promise<undefined>((resolve) => {
    late.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  let dropped = 0;
  try {
    while (dropped <= MOST_DROPPED) {
      const next = await Promise.race([source.next(), tooLate]);
      if (next?.done !== false) break;
      dropped += next.value.length;
    }
    // Not awaited: a caller that sends nothing more must not hold the answer back.
    void source.return?.().catch(() => undefined);
  } catch {
    // The caller has gone: nobody waits for the answer.
  }
}

/** Reads and parses a JSON body with the hardened parser; every refusal has its code and, where there is one, a pointer. */
export async function readJson(request: HttpRequest): Promise<JsonValue> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new HttpProblem('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  }
  return parseJson(await readBody(request, MAX_JSON_BYTES));
}

/** Bytes to a JSON value, or the first finding of the parser as an HTTP problem. */
export function parseJson(bytes: Uint8Array): JsonValue {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem('BAD_JSON', 'The body is not valid UTF-8.');
  }
  const parsed = parseStrict(text);
  if (parsed.ok) return parsed.value;
  const first = parsed.findings[0];
  const code = first !== undefined && isHttpCode(first.code) ? first.code : 'BAD_JSON';
  throw new HttpProblem(code, first?.message ?? 'The body is not valid JSON.', {
    ...(first === undefined ? {} : { path: first.path }),
    findings: parsed.findings,
  });
}
