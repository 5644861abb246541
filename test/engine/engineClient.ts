/** The extension's loopback RPC listener: the same requests as the SDK's client sends. */
import { setTimeout as delay } from 'node:timers/promises';

export interface InstanceStatus {
  readonly runtimeStatus: string;
  readonly output: unknown;
  readonly customStatus: unknown;
  readonly historyEvents?: readonly Readonly<Record<string, unknown>>[];
}

const ENDED = new Set(['Completed', 'Failed', 'Terminated', 'Canceled']);
const POLL_MS = 400;

export class EngineClient {
  /** Changes when the engine is started again. */
  rpcBaseUrl: string;

  constructor(rpcBaseUrl: string) {
    this.rpcBaseUrl = rpcBaseUrl;
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(new URL(path, this.rpcBaseUrl), { method, ...init });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  async start(name: string, instanceId: string, input: unknown): Promise<void> {
    await this.#send('POST', `orchestrators/${name}/${instanceId}`, input);
  }

  async raise(instanceId: string, name: string, data: unknown): Promise<void> {
    await this.#send('POST', `instances/${instanceId}/raiseEvent/${name}`, data);
  }

  async status(instanceId: string, history = false): Promise<InstanceStatus> {
    const query = history ? '?showHistory=true&showHistoryOutput=true' : '';
    return (await (await this.#send('GET', `instances/${instanceId}${query}`)).json()) as InstanceStatus;
  }

  /**
   * Polls until the engine has taken the instance up. An event raised before that can be lost for good: the storage
   * provider discards messages for an instance whose start message it has put back ("No such instance").
   */
  async waitUntilTaken(instanceId: string, limitMs = 120_000): Promise<void> {
    const until = Date.now() + limitMs;
    while ((await this.status(instanceId)).runtimeStatus === 'Pending') {
      if (Date.now() > until) throw new Error(`${instanceId} is still pending`);
      await delay(POLL_MS / 4);
    }
  }

  /** Polls until the instance has ended; rejects with its last status when it takes longer. */
  async waitForEnd(instanceId: string, limitMs = 60_000): Promise<InstanceStatus> {
    const until = Date.now() + limitMs;
    for (;;) {
      const status = await this.status(instanceId);
      if (ENDED.has(status.runtimeStatus)) return status;
      if (Date.now() > until) throw new Error(`${instanceId} has not ended: ${JSON.stringify(status).slice(0, 500)}`);
      await delay(POLL_MS);
    }
  }
}
