import { EventType, StatusNumber, type HistoryEvent, type SchedulingEvent } from '../durable/events.ts';
import { isScheduling } from '../durable/ids.ts';
import { shown } from './statusBody.ts';

type Shaped = Record<string, unknown>;

const NAMES = new Map<number, string>(Object.entries(EventType).map(([name, number]) => [number, name]));
const STATUS_NAMES = new Map<number, string>(Object.entries(StatusNumber).map(([name, number]) => [number, name]));
/** Never shown, or shown in a place of their own. */
const HIDDEN = new Set([
  'EventType',
  'EventId',
  'IsPlayed',
  'TaskScheduledId',
  'TimerId',
  'Version',
  'OrchestrationInstance',
  'ParentInstance',
  'Timestamp',
  'Tags',
]);
/** Properties of .NET's events that this host has no use for; the engine shows them, empty. */
const EMPTY = new Map<number, Shaped>([
  [
    EventType.ExecutionStarted,
    { Correlation: null, ParentTraceContext: null, ScheduledStartTime: null, Generation: 0, GenerateNewTrace: false },
  ],
  [EventType.TaskScheduled, { ParentTraceContext: null, Tags: null }],
  [EventType.SubOrchestrationInstanceCreated, { ClientSpanId: null, Tags: null }],
  [EventType.EventRaised, { ParentTraceContext: null }],
]);

interface Options {
  readonly showOutput: boolean;
  readonly showInput: boolean;
}

/** What a completion takes over from its schedule, which is not shown any more. */
function folded(start: SchedulingEvent, { showInput }: Options): Shaped {
  if (start.EventType === EventType.TimerCreated) return {};
  return {
    ScheduledTime: start.Timestamp,
    FunctionName: start.Name,
    ...(start.EventType === EventType.SubOrchestrationInstanceCreated ? { InstanceId: start.InstanceId } : {}),
    ...(showInput ? { Input: start.Input } : {}),
  };
}

/** In the engine's order of keys: the event's own, its time, what was folded into it. */
function shape(event: HistoryEvent, start: SchedulingEvent | undefined, options: Options): Shaped {
  const shaped: Shaped = { EventType: NAMES.get(event.EventType) };
  const started = event.EventType === EventType.ExecutionStarted;
  for (const [key, value] of Object.entries(event)) {
    if (HIDDEN.has(key) || (key === 'Name' && started)) continue;
    if (key === 'Result') {
      if (options.showOutput) shaped[key] = shown(value as string | null);
    } else if (key === 'Input') {
      if (options.showInput) shaped[key] = value;
    } else shaped[key] = key === 'OrchestrationStatus' ? STATUS_NAMES.get(value as number) : value;
  }
  Object.assign(shaped, { ...EMPTY.get(event.EventType), ...shaped }, { Timestamp: event.Timestamp });
  if (started) shaped['FunctionName'] = event.Name;
  return Object.assign(shaped, start === undefined ? {} : folded(start, options));
}

/**
 * History as the management API shows it: a schedule is folded into its completion and stays alone only while open,
 * episode markers are left out, ids are removed.
 */
export function shapeHistory(events: readonly HistoryEvent[], options: Options): Shaped[] {
  const scheduled = new Map<number, SchedulingEvent>();
  const done = new Set<number>();
  for (const event of events) {
    if (isScheduling(event)) scheduled.set(event.EventId, event);
    else if ('TaskScheduledId' in event) done.add(event.TaskScheduledId);
  }
  return events.flatMap((event) => {
    if (event.EventType === EventType.OrchestratorStarted || event.EventType === EventType.OrchestratorCompleted)
      return [];
    if (isScheduling(event) && event.EventType !== EventType.TimerCreated && done.has(event.EventId)) return [];
    const start = 'TaskScheduledId' in event ? scheduled.get(event.TaskScheduledId) : undefined;
    return [shape(event, start, options)];
  });
}
