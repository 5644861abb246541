/** Named log events. Numbers are stable: alerts and queries use them. Add new ones, never renumber. */
export const EVENTS = {
  appStarted: { id: 1000, level: 'info' },
  appStopping: { id: 1001, level: 'info' },
  settingsInvalid: { id: 1002, level: 'error' },
  requestHandled: { id: 1100, level: 'debug' },
  requestRefused: { id: 1101, level: 'info' },
  requestFailed: { id: 1102, level: 'error' },
  signInRefused: { id: 1103, level: 'warn' },
  uploadStored: { id: 1200, level: 'info' },
  uploadRefused: { id: 1201, level: 'info' },
  runAccepted: { id: 2000, level: 'info' },
  runMoved: { id: 2001, level: 'info' },
  runFinished: { id: 2002, level: 'info' },
  runControlSet: { id: 2003, level: 'info' },
  instanceStarted: { id: 2010, level: 'info' },
  instanceStartFailed: { id: 2011, level: 'warn' },
  planRefused: { id: 2100, level: 'info' },
  nodeStarted: { id: 3000, level: 'debug' },
  nodeCompleted: { id: 3001, level: 'info' },
  nodeFailed: { id: 3002, level: 'warn' },
  nodeReused: { id: 3003, level: 'debug' },
  nodeTakenOver: { id: 3004, level: 'warn' },
  nodeStopped: { id: 3005, level: 'info' },
  lateWriteRefused: { id: 3006, level: 'warn' },
  storeUnavailable: { id: 4000, level: 'error' },
  stateInvalid: { id: 4001, level: 'error' },
  artifactDamaged: { id: 4002, level: 'error' },
  janitorPassed: { id: 4200, level: 'info' },
  janitorFailed: { id: 4201, level: 'warn' },
  egressDenied: { id: 4100, level: 'warn' },
  unexpected: { id: 9000, level: 'error' },
} as const satisfies Readonly<
  Record<string, { readonly id: number; readonly level: 'debug' | 'info' | 'warn' | 'error' }>
>;

export type EventName = keyof typeof EVENTS;
