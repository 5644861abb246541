import { z } from 'zod';
import { digest } from '../plan/canonical.ts';
import { isRunId } from '../plan/ids.ts';
import type { JsonValue } from '../plan/types.ts';
import { allowSchema, DEFAULT_ALLOW, type Allow } from '../plan/warrant.ts';
import { HttpProblem } from './http/problem.ts';

const text = (most: number) => z.string().max(most);
/** What a requester lets this run do (design §4 "request scope"); what is left out has its default. */
const requestedAllow = z
  .strictObject({
    effects: allowSchema.shape.effects.optional(),
    targets: allowSchema.shape.targets.optional(),
    egress: allowSchema.shape.egress.optional(),
  })
  .transform((given): Allow => ({
    effects: given.effects ?? DEFAULT_ALLOW.effects,
    targets: given.targets ?? DEFAULT_ALLOW.targets,
    egress: given.egress ?? DEFAULT_ALLOW.egress,
  }));

const jsonValue: z.ZodType<JsonValue> = z.json();

/** Body of `POST /runs`; also what is stored with the run. `POST /plans` takes the same without a plan. */
export const startRequest = z.strictObject({
  goal: text(4000).optional(),
  plan: jsonValue.optional(),
  inputs: z.record(text(64), jsonValue).optional(),
  outputs: z.array(text(130)).max(20).optional(),
  planner: z.enum(['offline', 'llm']).optional(),
  allow: requestedAllow.optional(),
  locale: z
    .string()
    .regex(/^[a-z]{2}(-[A-Z]{2})?$/)
    .optional(),
  /** IANA name; local times on maps and in texts. */
  timeZone: text(60).optional(),
});
export type StartRequest = z.infer<typeof startRequest>;

/** Parses a start request, with our codes for what is wrong; digest per RFC 8785 for the idempotency check. */
export function parseStart(body: JsonValue): { readonly request: StartRequest; readonly requestDigest: string } {
  const parsed = startRequest.safeParse(body);
  if (!parsed.success) throw schemaProblem(parsed.error);
  const { request } = { request: parsed.data };
  if (request.goal === undefined && request.plan === undefined) {
    throw new HttpProblem('INVALID_FIELD', 'Give a goal, a plan, or both.', { path: '' });
  }
  if (request.timeZone !== undefined && !isTimeZone(request.timeZone)) {
    throw new HttpProblem('INVALID_FIELD', 'timeZone is not an IANA time zone name.', { path: '/timeZone' });
  }
  return { request, requestDigest: digest('request.v1:', body) };
}

/** First issue of a zod error as an HTTP problem with a JSON pointer. */
export function schemaProblem(error: z.ZodError): HttpProblem {
  const issue = error.issues[0];
  if (issue === undefined) return new HttpProblem('INVALID_FIELD', 'The body is not what this route takes.');
  const base = issue.path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    return new HttpProblem('UNKNOWN_FIELD', `Unknown field "${key.slice(0, 100)}".`, {
      path: `${base}/${key.slice(0, 100)}`,
    });
  }
  return new HttpProblem('INVALID_FIELD', issue.message.slice(0, 500), { path: base });
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Zone for local times when the caller names none: that of the language's main country, else UTC. */
export function defaultTimeZone(locale: string): string {
  const zones: Readonly<Record<string, string>> = { it: 'Europe/Rome', de: 'Europe/Berlin' };
  return zones[locale.slice(0, 2)] ?? 'UTC';
}

const KEY = /^[A-Za-z0-9_.:-]{1,128}$/;

export function idempotencyKey(header: string | null): string | null {
  if (header === null) return null;
  if (!KEY.test(header)) {
    throw new HttpProblem(
      'INVALID_IDEMPOTENCY_KEY',
      'Idempotency-Key takes 1 to 128 characters of A-Z a-z 0-9 _ . : -',
    );
  }
  return header;
}

/** A run id from a URL: 400 when it could not be one; whether it exists is another question. */
export function runIdOf(value: string | undefined): string {
  if (value === undefined || !isRunId(value)) {
    throw new HttpProblem(
      'INVALID_ID',
      'A run id has 1 to 64 characters of A-Z a-z 0-9 _ - and starts with a letter or digit.',
    );
  }
  return value;
}
