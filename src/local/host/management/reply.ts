/** An answer of the management API. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; absent = empty. */
  readonly body?: unknown;
  /** Sent as plain text instead of `body`. */
  readonly text?: string;
}

/** A request to the management API; path segments decoded, without the base. */
export interface ManagementRequest {
  readonly method: string;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
  readonly contentType: string;
  readonly continuationToken: string | undefined;
  /** Absolute URL as the client called it. */
  readonly url: string;
}

/** An error of which the engine shows the exception; type as the .NET one that a reader of the real API would see. */
export function exception(status: number, title: string, message: string, type: string): Reply {
  return {
    status,
    body: { Message: title, ExceptionMessage: message, ExceptionType: type, StackTrace: null },
  };
}

/** An error that the engine words itself. */
export const refusal = (status: number, message: string): Reply => ({ status, body: { Message: message } });

/** @param why what the parser says; each parser has its own words */
export const badJson = (why: string): Reply =>
  exception(400, 'Invalid JSON content', why, 'Newtonsoft.Json.JsonReaderException');

/** A feature of the real engine that this host refuses by name; as text, because the SDK shows the body as it is. */
export const unsupported = (feature: string): Reply => ({
  status: 501,
  text: `The embedded host does not support ${feature}.`,
});

/** "true" or "false" in any case; `fallback` when absent or anything else. Names of flags ignore case too. */
export function flag(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const found = [...query].find(([key]) => key.toLowerCase() === name.toLowerCase());
  const value = found?.[1].trim().toLowerCase();
  return value === 'true' || (value !== 'false' && fallback);
}

/** The value, or the answer to a body that is no JSON. */
export function parseBody(text: string): { readonly value: unknown } | { readonly refused: Reply } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { refused: badJson(`The body is not JSON: ${error instanceof Error ? error.message : String(error)}`) };
  }
}
