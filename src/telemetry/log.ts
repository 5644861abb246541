/** Log events of the product: one numbered function each, JSON fields, nothing that could be a secret. */
import { sanitize } from '../net/sanitize.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';

/** Where lines go: `context.log` and friends, or the process's error stream. */
export type Sink = (level: Level, line: string) => void;

export interface Logger {
  /** 1001 A request ended with a fault of ours; the reference was shown to the caller. */
  requestFault(route: string, invocationId: string, message: string): void;
  /** 2001 A node failed in a way that no tool declared. */
  nodeFault(runId: string, nodeId: string, message: string): void;
  /** 2002 A run ended. */
  runEnded(runId: string, status: string): void;
}

const MAX_TEXT = 500;
const RANK: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Lines on the error stream: the functions host shows them with the invocation's own. */
const processSink: Sink = (_level, line) => void process.stderr.write(`${line}\n`);

/** A logger over a sink; silent below `level` and while `replaying` says so. */
export function createLogger(
  options: { readonly sink?: Sink; readonly level?: Level; readonly replaying?: () => boolean } = {},
): Logger {
  const { sink = processSink, level = 'info', replaying = () => false } = options;
  const write = (at: Level, id: number, event: string, fields: Readonly<Record<string, string>>): void => {
    if (RANK[at] < RANK[level] || replaying()) return;
    const clean = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, sanitize(value, 'log', MAX_TEXT)]),
    );
    sink(at, JSON.stringify({ id, event, ...clean }));
  };
  return {
    requestFault: (route, invocationId, message) =>
      write('error', 1001, 'request.fault', { route, invocationId, message }),
    nodeFault: (runId, nodeId, message) => write('error', 2001, 'node.fault', { runId, nodeId, message }),
    runEnded: (runId, status) => write('info', 2002, 'run.ended', { runId, status }),
  };
}
