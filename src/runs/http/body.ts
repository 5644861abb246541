import type { HttpRequest } from '@azure/functions';
import { parseStrict } from '../../plan/strictJson.ts';
import type { JsonValue } from '../../plan/types.ts';
import { HttpProblem, isHttpCode } from './problem.ts';

/** Limits of a JSON body: those of a plan (design §2), plus room for the envelope around it. */
export const MAX_JSON_BYTES = 256 * 1024;

/** Reads a body of at most `maxBytes`; 413 as soon as it grows beyond, without reading the rest. */
export async function readBody(request: HttpRequest, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = (): HttpProblem =>
    new HttpProblem('BODY_TOO_LARGE', `The body may have at most ${String(maxBytes)} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyChunks(request)) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** The body as it arrives; empty when there is none. */
export async function* bodyChunks(request: HttpRequest): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array | string>) {
    yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
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
