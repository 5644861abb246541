/**
 * Second thread of a tool process. The first one may be deep in a computation and hears nothing; this one ends the process
 * when the host is gone or the job uses more memory than it may. `SIGTERM` from here means memory: the host itself only
 * ever sends `SIGKILL`.
 */
import { workerData } from 'node:worker_threads';

const PERIOD_MS = 25;
const { parent, limitMb } = workerData as { readonly parent: number; readonly limitMb: Int32Array };

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  const limit = Atomics.load(limitMb, 0);
  if (limit > 0 && process.memoryUsage.rss() > limit * 1024 * 1024) process.kill(process.pid, 'SIGTERM');
}, PERIOD_MS);
