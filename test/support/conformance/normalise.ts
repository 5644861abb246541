/** Takes out of answers and histories what differs from run to run, and nothing else. */
import type { Answer, LastPayload } from './types.ts';
import type { RawAnswer } from './client.ts';

/** Times of this century's test runs; dates in the cases are older and stay. */
const TIME = /20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const GUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/gi;
/** Shown without fractions of a second. */
const WHOLE_SECONDS = new Set(['createdTime', 'lastUpdatedTime']);

/** What a JSON parser says; each has its own words. */
const PARSER = /\bJSON\b|JsonReader|Path '/;

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/(known orchestrator functions: )'.*'/, '$1<names>'],
  // A port follows, unless it is the default one of the web hooks.
  [/https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?=\/)/g, '<origin>'],
  [/taskHub=[^&"\s]+/g, 'taskHub=<hub>'],
  [/code=[^&"\s]+/g, 'code=<key>'],
  [GUID, '<guid>'],
  [/\r\n/g, '\n'],
  // An exception in the middle of a message, up to its end.
  [/\{"\$type":"System\.Exception[^]*$/, '<exception>'],
  // What follows is a stack, up to the end of the text.
  [/\nStack:[^]*$/, '\nStack: <stack>'],
  [/StackTrace: [^]*$/, 'StackTrace: <stack>'],
];

function text(value: string, key: string): string {
  const whole = WHOLE_SECONDS.has(key);
  const timed = value.replace(TIME, (time) => (whole && time.includes('.') ? '<time with fraction>' : '<time>'));
  return REPLACED.reduce((changed, [pattern, by]) => changed.replace(pattern, by), timed);
}

/** JSON of a .NET exception: its class and messages; the rest is stacks and the build of the runtime. */
function exception(value: string): unknown {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(value) as Record<string, unknown>;
  } catch {
    return '<exception>';
  }
  const inner = parsed['InnerException'] as Record<string, unknown> | null;
  return {
    ClassName: parsed['ClassName'],
    Message: normalise(parsed['Message']),
    InnerException: inner === null ? null : { Message: normalise(inner['Message']) },
  };
}

export function normalise(value: unknown, key = ''): unknown {
  if (key === 'StackTrace') return '<stack>';
  if (key === 'ExceptionMessage' && typeof value === 'string' && PARSER.test(value)) return '<where the JSON is wrong>';
  if (typeof value === 'string') {
    return key === 'Details' && value.startsWith('{') ? exception(value) : text(value, key);
  }
  if (Array.isArray(value)) return value.map((item) => normalise(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name, ''), normalise(item, name)]));
}

const json = (raw: string): unknown => {
  try {
    return JSON.parse(raw) as unknown;
  } catch {
    return raw;
  }
};

export function normaliseAnswer(request: string, { status, headers, text: raw }: RawAnswer): Answer {
  const kept: Record<string, string> = {};
  for (const name of ['content-type', 'location', 'retry-after', 'x-ms-continuation-token']) {
    const value = headers.get(name);
    if (value !== null) kept[name] = name.startsWith('x-ms') && value !== '' ? '<token>' : text(value, '');
  }
  return { request, status, headers: kept, body: raw === '' ? null : normalise(json(raw)) };
}

/** Kept of each event; others are correlation data of the .NET side, or times. */
const EVENT_KEYS = [
  'EventType',
  'EventId',
  'TaskScheduledId',
  'TimerId',
  'Name',
  'Version',
  'InstanceId',
  'Input',
  'Result',
  'Reason',
  'Details',
  'FailureDetails',
  'ParentInstance',
];
/** Begin and end of an episode: how many messages share one is a matter of speed. */
const EPISODES = new Set<unknown>([12, 13]);

/** The payload of the last episode: times and the markers of episodes taken out. */
export function normalisePayload(raw: string): LastPayload {
  const { history, ...rest } = JSON.parse(raw) as { history: Record<string, unknown>[] };
  const events = history
    .filter((event) => !EPISODES.has(event['EventType']))
    .map((event) =>
      Object.fromEntries(EVENT_KEYS.filter((key) => key in event).map((key) => [key, normalise(event[key], key)])),
    );
  return { ...(normalise(rest) as Record<string, unknown>), history: events };
}
