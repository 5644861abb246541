const ENDED: ReadonlySet<string> = new Set(['Completed', 'Failed', 'Terminated', 'Canceled']);

/** Whether an instance in this runtime status may still do something. */
export const isLive = (runtimeStatus: string): boolean => !ENDED.has(runtimeStatus);
