import type { LoadedApp, RegisteredFunction } from '../core/loadApp.ts';
import type { HostLog } from './hostLog.ts';

/** The app's functions by what starts them; names ignore case (Q29). */
export interface FunctionIndex {
  readonly http: readonly RegisteredFunction[];
  readonly timers: readonly RegisteredFunction[];
  activity(name: string): RegisteredFunction | undefined;
  orchestrator(name: string): RegisteredFunction | undefined;
  /** As they were registered. */
  readonly orchestratorNames: readonly string[];
}

/** Sorts the functions; a trigger that this host does not serve is named in the log, never dropped silently. */
export function indexFunctions(app: LoadedApp, log: HostLog): FunctionIndex {
  const http: RegisteredFunction[] = [];
  const timers: RegisteredFunction[] = [];
  const activities = new Map<string, RegisteredFunction>();
  const orchestrators = new Map<string, RegisteredFunction>();
  for (const fn of app.functions) {
    switch (fn.trigger.type.toLowerCase()) {
      case 'httptrigger':
        http.push(fn);
        break;
      case 'timertrigger':
        timers.push(fn);
        break;
      case 'activitytrigger':
        activities.set(fn.name.toLowerCase(), fn);
        break;
      case 'orchestrationtrigger':
        orchestrators.set(fn.name.toLowerCase(), fn);
        break;
      case 'entitytrigger':
        log('error', 'the embedded host does not support durable entities; this function is not served', fn.name);
        break;
      default:
        log(
          'error',
          `the embedded host does not support the trigger ${fn.trigger.type}; this function is not served`,
          fn.name,
        );
    }
  }
  return {
    http,
    timers,
    activity: (name) => activities.get(name.toLowerCase()),
    orchestrator: (name) => orchestrators.get(name.toLowerCase()),
    orchestratorNames: [...orchestrators.values()].map((fn) => fn.name),
  };
}
