export type LogLevel = 'debug' | 'information' | 'warning' | 'error';

/** The host's own messages; `functionName` when one function is concerned. */
export type HostLog = (level: LogLevel, message: string, functionName?: string) => void;
