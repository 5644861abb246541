import type { DurableClient } from 'durable-functions';
import { ORCHESTRATOR } from '../orchestration/names.ts';

export interface InstanceStatus {
  readonly runtimeStatus: string;
  readonly createdTime: string;
  readonly lastUpdatedTime: string;
  readonly customStatus: unknown;
}

/** What the use cases need of the durable engine. */
export interface Engine {
  /** Starts the run's instance unless one of that id is there already; a lost race is success. */
  start(instanceId: string, runId: string): Promise<void>;
  status(instanceId: string): Promise<InstanceStatus | undefined>;
  /** Wakes an instance; one that has ended or is unknown is not an error: the ledger holds the truth (I6). */
  wake(instanceId: string, eventName: string): Promise<void>;
}

/** The engine behind the durable client binding. */
export function durableEngine(client: DurableClient): Engine {
  const status = async (instanceId: string): Promise<InstanceStatus | undefined> => {
    const found = await client.getStatus(instanceId).catch((error: unknown) => {
      if (isUnknownInstance(error)) return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    return {
      runtimeStatus: found.runtimeStatus,
      createdTime: new Date(found.createdTime).toISOString(),
      lastUpdatedTime: new Date(found.lastUpdatedTime).toISOString(),
      customStatus: found.customStatus,
    };
  };
  return {
    status,
    async start(instanceId, runId) {
      if ((await status(instanceId)) !== undefined) return;
      try {
        await client.startNew(ORCHESTRATOR, { instanceId, input: { version: 1, runId } });
      } catch (error) {
        // The extension answers 500 when another request has just started the same id: look again before complaining.
        if ((await status(instanceId)) === undefined) throw error;
      }
    },
    async wake(instanceId, eventName) {
      try {
        await client.raiseEvent(instanceId, eventName, true);
      } catch (error) {
        if (!isUnknownInstance(error)) throw error;
      }
    },
  };
}

/** The client has no error class for 404; its message names the cause. */
export function isUnknownInstance(error: unknown): boolean {
  return error instanceof Error && /404|no instance|not found/i.test(error.message);
}
