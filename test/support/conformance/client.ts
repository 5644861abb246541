/** Requests to the durable management API of any host, as they are: no check, no default header. */

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RequestOptions {
  /** Sent as it is. */
  readonly body?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param path without a leading slash, encoded by the caller */
export async function request(
  rpcBaseUrl: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<RawAnswer> {
  const headers = new Headers(options.headers);
  if (options.contentType !== undefined) headers.set('content-type', options.contentType);
  // A Blob has no content type of its own: fetch would add text/plain to a string.
  const body = options.body === undefined ? {} : { body: new Blob([options.body]) };
  const response = await fetch(`${rpcBaseUrl}${path}`, { method, headers, ...body });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
