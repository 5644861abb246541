import type { DurableClient } from 'durable-functions';
import { durableEngine, isUnknownInstance, type Engine } from './engine.ts';

/** What operating needs of the durable engine beside running: the janitor's tools. */
export interface OperatorEngine extends Engine {
  /** Ends an instance where it stands; one that has ended or is unknown is not an error. */
  terminate(instanceId: string, reason: string): Promise<void>;
  /** Removes the history of an ended instance; an unknown one is not an error. */
  purge(instanceId: string): Promise<void>;
}

export function operatorEngine(client: DurableClient): OperatorEngine {
  const unlessUnknown = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (!isUnknownInstance(error)) throw error;
    }
  };
  return {
    ...durableEngine(client),
    terminate: (instanceId, reason) => unlessUnknown(client.terminate(instanceId, reason)),
    purge: (instanceId) => unlessUnknown(client.purgeInstanceHistory(instanceId)),
  };
}
