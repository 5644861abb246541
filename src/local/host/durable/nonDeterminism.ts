import { EventType, type SchedulingEvent } from './events.ts';
import type { Decision } from './ids.ts';

/** History and action list disagree: the orchestrator did not do again what it had done before. */
export class NonDeterministicError extends Error {}

const ACTION: Readonly<Record<Decision['kind'], string>> = {
  activity: 'ScheduleTaskOrchestratorAction',
  child: 'CreateSubOrchestrationAction',
  timer: 'CreateTimerOrchestratorAction',
};
const BEFORE = 'Non-Deterministic workflow detected: A previous execution of this orchestration scheduled';
const CHANGED = 'Was a change made to the orchestrator code after this instance had already started running?';

/** What the history has, in the engine's words; a number it calls by two names. */
function was(event: SchedulingEvent, missing: boolean): string {
  switch (event.EventType) {
    case EventType.TaskScheduled:
      return missing
        ? `an activity task with sequence ID ${event.EventId} and name '${event.Name}' (version '${event.Version}'), but`
        : `an activity task with sequence number ${event.EventId} named '${event.Name}', but`;
    case EventType.SubOrchestrationInstanceCreated:
      return `a sub-orchestration task with sequence ID ${event.EventId} and name '${event.Name}' (version '${event.Version ?? ''}', instance ID '${event.InstanceId}'), but`;
    case EventType.TimerCreated:
      return `a timer task with sequence number ${event.EventId}${missing ? ' but' : ' named but'}`;
  }
}

/** The engine's text for a schedule of the history that the code has not made (recorded, not documented). */
export const notAsked = (event: SchedulingEvent): string =>
  `${BEFORE} ${was(event, true)} the current replay execution hasn't (yet?) scheduled this task. ${CHANGED}`;

/** The engine's text for a schedule of the history where the code has made another one. */
export function askedOther(event: SchedulingEvent, asked: Decision): string {
  const child = event.EventType === EventType.SubOrchestrationInstanceCreated;
  const instead = `${BEFORE} ${was(event, false)} the current orchestration replay instead`;
  const place = `${child ? 'at' : 'with'} this sequence number.`;
  if (child && asked.kind === 'child')
    return `${instead} scheduled a sub-orchestration task with name ${asked.name} ${place} ${CHANGED}`;
  if (event.EventType === EventType.TaskScheduled && asked.kind === 'activity')
    return `${instead} scheduled an activity task named '${asked.name}' ${place}  ${CHANGED}`;
  return `${instead} produced a ${ACTION[asked.kind]} action ${place} ${CHANGED}`;
}
