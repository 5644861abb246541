/** A durable engine of which a test says how its instances stand; it does what operators and the janitor ask of it. */
import type { OperatorEngine } from '../../../src/runs/operatorEngine.ts';

export interface FakeEngine extends OperatorEngine {
  /** Runtime status by instance id; what is not there is unknown to the engine. */
  readonly instances: Map<string, string>;
  /** Every call that changes something, in order: `verb id`. */
  readonly calls: string[];
  /** Called before anything; may throw, as an engine that does not answer. */
  before: (verb: string, instanceId: string) => void;
}

export function fakeEngine(): FakeEngine {
  const instances = new Map<string, string>();
  const calls: string[] = [];
  const ask = (verb: string, instanceId: string): void => {
    engine.before(verb, instanceId);
    if (verb !== 'status') calls.push(`${verb} ${instanceId}`);
  };
  const engine: FakeEngine = {
    instances,
    calls,
    before: () => undefined,
    status: async (instanceId) => {
      ask('status', instanceId);
      const runtimeStatus = instances.get(instanceId);
      if (runtimeStatus === undefined) return undefined;
      return { runtimeStatus, createdTime: '', lastUpdatedTime: '', customStatus: null };
    },
    start: async (instanceId) => {
      if (instances.has(instanceId)) return;
      ask('start', instanceId);
      instances.set(instanceId, 'Pending');
    },
    wake: async (instanceId, eventName) => ask(`wake:${eventName}`, instanceId),
    terminate: async (instanceId) => {
      ask('terminate', instanceId);
      if (instances.has(instanceId)) instances.set(instanceId, 'Terminated');
    },
    purge: async (instanceId) => {
      ask('purge', instanceId);
      instances.delete(instanceId);
    },
  };
  return engine;
}
