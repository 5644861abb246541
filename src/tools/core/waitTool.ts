import { z } from 'zod';
import { defineTool } from '../../catalog/defineTool.ts';
import type { PortType } from '../../catalog/portTypes.ts';
import type { ToolDefinition, ToolResult, ToolRun } from '../../catalog/tool.ts';
import { ToolError } from '../../plan/errors.ts';
import { jsonOutput } from '../jsonOutput.ts';
import { durationMs } from './duration.ts';

/** The longest wait, and the longest run: 90 days. */
const MAX_WAIT_MS = 90 * 86_400_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

const duration = z.union([
  z
    .number()
    .min(0)
    .max(MAX_WAIT_MS / 1000),
  z
    .string()
    .max(40)
    .refine((text) => durationMs(text) !== undefined, 'an ISO 8601 duration such as "PT15M" or "P30D", or seconds')
    .refine((text) => (durationMs(text) ?? 0) <= MAX_WAIT_MS, 'a wait takes at most 90 days'),
]);
const until = z
  .string()
  .max(40)
  .refine(
    (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)),
    'a time in RFC 3339 with an offset, such as "2026-05-01T06:00:00Z"',
  );

const args = z
  .strictObject({ duration: duration.optional(), until: until.optional() })
  .refine(
    (given) => (given.duration === undefined) !== (given.until === undefined),
    'exactly one of "duration" and "until" is needed',
  );
type Args = z.infer<typeof args>;

const firedAt: PortType = { kind: 'time', window: null };

/** Absolute time to wait for, in ms since the epoch. A time that is past is at once. Throws above 90 days. */
function waitUntil(given: Args, readyAt: number): number {
  if (given.until !== undefined) {
    const at = Date.parse(given.until);
    if (at - readyAt > MAX_WAIT_MS)
      throw new ToolError(
        'INVALID_ARGUMENT',
        `${given.until} is more than 90 days away; a wait takes at most 90 days.`,
      );
    return Math.max(at, readyAt);
  }
  const { duration: wanted = 0 } = given;
  return readyAt + (typeof wanted === 'number' ? Math.round(wanted * 1000) : (durationMs(wanted) ?? 0));
}

function run(context: ToolRun<Args>): Promise<ToolResult> {
  if (context.until === undefined)
    throw new ToolError('STATE_INVALID', 'A wait ends only after the time it recorded.', { class: 'unexpected' });
  const output = jsonOutput(new Date(context.until).toISOString(), firedAt, 'firedAt.json');
  return Promise.resolve({ outputs: new Map([['firedAt', output]]), checks: [] });
}

/** `core.wait`: waits for a duration or until a time; `firedAt` is the recorded time that was waited for. */
export const waitTool: ToolDefinition = defineTool<Args>({
  name: 'core.wait',
  version: '1.0.0',
  summary: 'Waits for a duration (ISO 8601, or seconds) or until a time, at most 90 days.',
  input: args,
  ports: {
    inputs: {},
    outputs: { firedAt: { type: firedAt, description: 'The time that was waited for, in UTC.' } },
  },
  sources: [],
  types: () => ({ outputs: new Map([['firedAt', firedAt]]), problems: [] }),
  effect: 'none',
  resources: {},
  permission: 'tool:core.wait',
  cost: { cents: 0, seconds: 1 },
  limits: { timeoutSeconds: 10, maxOutputBytes: 1024, memoryMb: 128 },
  retry: { maxAttempts: 3 },
  // The time of another run is none of this one's.
  reuse: 'never',
  runsIn: 'host',
  run,
  wait: waitUntil,
});
