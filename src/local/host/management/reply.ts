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

/** The error body of the webhooks; `kind` as the .NET exception a reader of the real API would see. */
export function problem(status: number, message: string, exceptionType: string): Reply {
  return {
    status,
    body: {
      Message: 'Something went wrong while processing your request',
      ExceptionMessage: message,
      ExceptionType: exceptionType,
      StackTrace: null,
    },
  };
}

export const badRequest = (message: string): Reply => problem(400, message, 'System.ArgumentException');
/** A feature of the real engine that this host refuses by name; as text, because the SDK shows the body as it is. */
export const unsupported = (feature: string): Reply => ({
  status: 501,
  text: `The embedded host does not support ${feature}.`,
});

/** True for "true" in any case; `fallback` when absent. */
export function flag(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const value = query.get(name);
  return value === null ? fallback : value.toLowerCase() === 'true';
}

export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
