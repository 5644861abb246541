/** History events of an orchestration as the SDK reads them; keys and numbers are the Durable Task wire names. */
export const EventType = {
  ExecutionStarted: 0,
  ExecutionCompleted: 1,
  ExecutionTerminated: 3,
  TaskScheduled: 4,
  TaskCompleted: 5,
  TaskFailed: 6,
  SubOrchestrationInstanceCreated: 7,
  SubOrchestrationInstanceCompleted: 8,
  SubOrchestrationInstanceFailed: 9,
  TimerCreated: 10,
  TimerFired: 11,
  OrchestratorStarted: 12,
  OrchestratorCompleted: 13,
  EventRaised: 15,
  ExecutionSuspended: 19,
  ExecutionResumed: 20,
} as const;

/** Runtime status as written into `ExecutionCompleted.OrchestrationStatus`. */
export const StatusNumber = {
  Running: 0,
  Completed: 1,
  ContinuedAsNew: 2,
  Failed: 3,
  Canceled: 4,
  Terminated: 5,
  Pending: 6,
  Suspended: 7,
} as const;
export type RuntimeStatus = keyof typeof StatusNumber;

interface Common {
  /** The action id for scheduling events, -1 for all others. */
  readonly EventId: number;
  /** False in the episode that brings the event; messages are stored as true. */
  readonly IsPlayed: boolean;
  /** UTC, ISO 8601 with milliseconds. Never regenerated: ids of the SDK hash it. */
  readonly Timestamp: string;
}
export interface InstanceRef {
  readonly InstanceId: string;
  readonly ExecutionId: string;
}
export interface ParentRef {
  readonly Name: string;
  readonly OrchestrationInstance: InstanceRef;
  readonly TaskScheduleId: number;
  /** Null when none was given. */
  readonly Version: string | null;
}
/** The structured failure of newer extensions; null when the app registered no properties provider. */
export type FailureDetails = Readonly<Record<string, unknown>> | null;
interface Completion extends Common {
  readonly TaskScheduledId: number;
  /** JSON text or null; the key must be present (an absent one makes the SDK parse `undefined`). */
  readonly Result: string | null;
}
interface Failure extends Common {
  readonly TaskScheduledId: number;
  readonly Reason: string;
  /** Null only for a terminated child: the SDK cannot catch that failure, as on the real engine. */
  readonly Details: string | null;
  readonly FailureDetails: FailureDetails;
}

export interface ExecutionStarted extends Common {
  readonly EventType: 0;
  readonly OrchestrationInstance: InstanceRef;
  readonly ParentInstance: ParentRef | null;
  readonly Name: string;
  readonly Version: string | null;
  /** JSON text or null. */
  readonly Input: string | null;
  readonly Tags: null;
  /** How often a client's start replaced an instance of this id; null for a child and after continue-as-new; absent: 0. */
  readonly Generation?: number | null;
}
export interface ExecutionCompleted extends Common {
  readonly EventType: 1;
  readonly OrchestrationStatus: number;
  readonly Result: string | null;
  readonly FailureDetails: FailureDetails;
}
export interface ExecutionTerminated extends Common {
  readonly EventType: 3;
  readonly Input: string | null;
}
export interface TaskScheduled extends Common {
  readonly EventType: 4;
  readonly Name: string;
  readonly Version: string;
  readonly Input: string | null;
}
export interface TaskCompleted extends Completion {
  readonly EventType: 5;
}
export interface TaskFailed extends Failure {
  readonly EventType: 6;
}
export interface ChildCreated extends Common {
  readonly EventType: 7;
  readonly Name: string;
  readonly Version: string | null;
  readonly InstanceId: string;
  readonly Input: string | null;
}
export interface ChildCompleted extends Completion {
  readonly EventType: 8;
}
export interface ChildFailed extends Failure {
  readonly EventType: 9;
}
export interface TimerCreated extends Common {
  readonly EventType: 10;
  readonly FireAt: string;
}
export interface TimerFired extends Common {
  readonly EventType: 11;
  readonly TimerId: number;
  readonly FireAt: string;
}
export interface OrchestratorStarted extends Common {
  readonly EventType: 12;
}
export interface OrchestratorCompleted extends Common {
  readonly EventType: 13;
}
export interface EventRaised extends Common {
  readonly EventType: 15;
  readonly Name: string;
  readonly Input: string | null;
}
export interface ExecutionSuspended extends Common {
  readonly EventType: 19;
  readonly Reason: string | null;
}
export interface ExecutionResumed extends Common {
  readonly EventType: 20;
  readonly Reason: string | null;
}

/** What can arrive in an instance's inbox. */
export type MessageEvent =
  | ExecutionStarted
  | ExecutionTerminated
  | TaskCompleted
  | TaskFailed
  | ChildCompleted
  | ChildFailed
  | TimerFired
  | EventRaised
  | ExecutionSuspended
  | ExecutionResumed;
export type SchedulingEvent = TaskScheduled | ChildCreated | TimerCreated;
export type HistoryEvent =
  MessageEvent | SchedulingEvent | ExecutionCompleted | OrchestratorStarted | OrchestratorCompleted;

/** Milliseconds since the epoch → the timestamp text of histories. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** The fields every message shares: no id of its own, not yet played. */
export const messageBase = (at: number): Common => ({ EventId: -1, IsPlayed: false, Timestamp: isoTime(at) });

export const isFinal = (status: RuntimeStatus): boolean =>
  status === 'Completed' || status === 'Failed' || status === 'Terminated' || status === 'Canceled';
