import { EventType, StatusNumber, type HistoryEvent, type SchedulingEvent } from '../durable/events.ts';
import { isScheduling } from '../durable/ids.ts';
import { shown } from './statusBody.ts';

type Shaped = Record<string, unknown>;

const NAMES = new Map<number, string>(Object.entries(EventType).map(([name, number]) => [number, name]));
const STATUS_NAMES = new Map<number, string>(Object.entries(StatusNumber).map(([name, number]) => [number, name]));
/** Never shown. */
const HIDDEN = new Set([
  'EventType',
  'EventId',
  'IsPlayed',
  'TaskScheduledId',
  'TimerId',
  'Version',
  'OrchestrationInstance',
  'ParentInstance',
  'Tags',
  'Timestamp',
  'FailureDetails',
]);

function shape(event: HistoryEvent, extra: Shaped, options: { showOutput: boolean; showInput: boolean }): Shaped {
  const shaped: Shaped = { EventType: NAMES.get(event.EventType), Timestamp: event.Timestamp, ...extra };
  for (const [key, value] of Object.entries(event)) {
    if (HIDDEN.has(key)) continue;
    if (key === 'Result') {
      if (options.showOutput) shaped[key] = shown(value as string | null);
    } else if (key === 'Input') {
      if (options.showInput && value !== null) shaped[key] = value;
    } else if (key === 'OrchestrationStatus') shaped[key] = STATUS_NAMES.get(value as number);
    else if (key === 'Name' && event.EventType !== EventType.EventRaised) shaped['FunctionName'] = value;
    else shaped[key] = value;
  }
  return shaped;
}

/**
 * History as the management API shows it: a schedule is folded into its completion and stays alone only while open,
 * episode markers are left out, ids are removed.
 */
export function shapeHistory(
  events: readonly HistoryEvent[],
  options: { showOutput: boolean; showInput: boolean },
): Shaped[] {
  const scheduled = new Map<number, SchedulingEvent>();
  const folded = new Set<number>();
  for (const event of events) {
    if (isScheduling(event)) scheduled.set(event.EventId, event);
    else if ('TaskScheduledId' in event) folded.add(event.TaskScheduledId);
  }
  return events.flatMap((event) => {
    if (event.EventType === EventType.OrchestratorStarted || event.EventType === EventType.OrchestratorCompleted)
      return [];
    if (isScheduling(event) && event.EventType !== EventType.TimerCreated && folded.has(event.EventId)) return [];
    const start = 'TaskScheduledId' in event ? scheduled.get(event.TaskScheduledId) : undefined;
    if (start === undefined || start.EventType === EventType.TimerCreated) return [shape(event, {}, options)];
    const extra: Shaped = { ScheduledTime: start.Timestamp, FunctionName: start.Name };
    if (options.showInput && start.Input !== null) extra['Input'] = start.Input;
    return [shape(event, extra, options)];
  });
}
