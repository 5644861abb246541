import type { HttpResponseInit } from '@azure/functions';
import type { Finding } from '../../plan/finding.ts';

/** Codes of contracts.md "HTTP", with status and title. */
export const HTTP_CODES = {
  BAD_JSON: [400, 'The body is not valid JSON'],
  UNKNOWN_FIELD: [400, 'Unknown field'],
  INVALID_FIELD: [400, 'Invalid field'],
  TOO_DEEP: [400, 'The body is nested too deeply'],
  TOO_MANY_KEYS: [400, 'The body has too many keys'],
  DUPLICATE_KEY: [400, 'A key appears twice'],
  FORBIDDEN_KEY: [400, 'A key is not allowed'],
  LONE_SURROGATE: [400, 'A text is not valid Unicode'],
  NUMBER_NOT_FINITE: [400, 'A number cannot be represented'],
  INVALID_ID: [400, 'Invalid id'],
  INVALID_IDEMPOTENCY_KEY: [400, 'Invalid Idempotency-Key'],
  PLANNER_NOT_CONFIGURED: [400, 'The planner is not configured'],
  UNAUTHENTICATED: [401, 'Sign in first'],
  FORBIDDEN: [403, 'Not allowed'],
  CSRF: [403, 'Cross-site request refused'],
  NOT_FOUND: [404, 'Not found'],
  IDEMPOTENCY_CONFLICT: [409, 'The Idempotency-Key was used with another body'],
  WRONG_STATE: [409, 'Not possible in this state'],
  LATE_DECISION: [409, 'The decision came too late'],
  DIGEST_MISMATCH: [409, 'The content has changed'],
  BODY_TOO_LARGE: [413, 'The body is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported media type'],
  PLAN_INVALID: [422, 'The plan was refused'],
  NO_PLAN: [422, 'No plan was found for this goal'],
  UPLOAD_INVALID: [422, 'The upload was refused'],
  TOO_MANY_REQUESTS: [429, 'Too many requests'],
  INTERNAL: [500, 'Something went wrong on our side'],
  STORE_UNAVAILABLE: [503, 'A store is not available'],
} as const satisfies Record<string, readonly [number, string]>;
export type HttpCode = keyof typeof HTTP_CODES;

/** A refusal on its way to the caller; thrown by use cases, written in one place. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: HttpCode;
  readonly status: number;
  readonly path: string | undefined;
  readonly findings: readonly Finding[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: HttpCode,
    detail: string,
    more: {
      readonly path?: string;
      readonly findings?: readonly Finding[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(detail);
    this.code = code;
    this.status = HTTP_CODES[code][0];
    this.path = more.path;
    this.findings = more.findings;
    this.headers = more.headers ?? {};
  }
}

export function isHttpCode(code: string): code is HttpCode {
  return Object.hasOwn(HTTP_CODES, code);
}

/** `application/problem+json` (RFC 9457) with our stable `code`. */
export function problemResponse(problem: HttpProblem): HttpResponseInit {
  return {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...problem.headers,
    },
    body: JSON.stringify({
      type: `urn:geoagent:error:${problem.code}`,
      title: HTTP_CODES[problem.code][1],
      status: problem.status,
      code: problem.code,
      detail: problem.message,
      ...(problem.path === undefined ? {} : { path: problem.path }),
      ...(problem.findings === undefined ? {} : { findings: problem.findings }),
    }),
  };
}

/** JSON answer; never cached, never sniffed. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponseInit {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: JSON.stringify(body),
  };
}
