import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TypedData } from '../core/loadApp.ts';

/** Header names in lower case; repeated headers joined with a comma. */
export function headerMap(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : value] as const],
  );
  return Object.fromEntries(pairs);
}

/** Repeated query keys joined with a comma into one value, as the real host does. */
export function queryMap(query: URLSearchParams): Map<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of query) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return joined;
}

const nullable = (entries: Iterable<readonly [string, string]>): Record<string, { value: string }> =>
  Object.fromEntries([...entries].map(([name, value]) => [name, { value }]));

/** The request as the library takes it in buffered mode. A chunked body without a length is kept (the real host drops it). */
export function requestData(
  request: IncomingMessage,
  url: URL,
  params: ReadonlyMap<string, string>,
  body: Buffer,
): TypedData {
  return {
    http: {
      method: request.method,
      url: url.href,
      headers: {},
      query: {},
      params: {},
      nullableHeaders: nullable(Object.entries(headerMap(request.headers))),
      nullableQuery: nullable(queryMap(url.searchParams)),
      nullableParams: nullable(params),
      ...(body.length > 0 ? { body: { bytes: body } } : {}),
    },
  };
}

/** The metadata of stream mode; the library reads headers and route parameters from it. */
export function streamMetadata(
  request: IncomingMessage,
  url: URL,
  params: ReadonlyMap<string, string>,
): Record<string, TypedData> {
  return {
    ...Object.fromEntries([...params].map(([name, value]) => [name, { string: value }])),
    Headers: { json: JSON.stringify(headerMap(request.headers)) },
    Query: { json: JSON.stringify(Object.fromEntries(queryMap(url.searchParams))) },
  };
}

/** A body longer than the limit. */
export class BodyTooLargeError extends Error {}

/** Reads the whole body. @param limit bytes */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > limit) throw new BodyTooLargeError(`The request body is larger than ${limit} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
