import { setTimeout as delay } from 'node:timers/promises';
import type { InstanceStatus, ManagementAnswer, ManagementClient, StatusQuery } from './types.ts';

const POLL_MS = 100;
export const ENDED: ReadonlySet<string> = new Set(['Completed', 'Failed', 'Terminated', 'Canceled']);

/** The management API refused; `answer` is what it said. */
export class ManagementError extends Error {
  readonly answer: ManagementAnswer;

  constructor(request: string, answer: ManagementAnswer) {
    super(`${request}: ${String(answer.status)} ${answer.text.slice(0, 500)}`);
    this.name = 'ManagementError';
    this.answer = answer;
  }
}

const flagsOf = (query: StatusQuery): string => {
  const flags = Object.entries(query).filter(([, value]) => value === true);
  return flags.length === 0 ? '' : `?${flags.map(([name]) => `${name}=true`).join('&')}`;
};

/** @param baseUrl the app's origin @param key of the durable webhooks */
export function managementClient(baseUrl: string, key: string): ManagementClient {
  const send = async (method: string, path: string, body?: unknown): Promise<ManagementAnswer> => {
    const url = new URL(`/runtime/webhooks/durabletask/${path}`, baseUrl);
    url.searchParams.set('code', key);
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(url, { method, ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const done = async (method: string, path: string, body?: unknown): Promise<ManagementAnswer> => {
    const answer = await send(method, path, body);
    if (answer.status < 200 || answer.status >= 300) throw new ManagementError(`${method} ${path}`, answer);
    return answer;
  };
  const instance = (id: string, rest = ''): string => `instances/${encodeURIComponent(id)}${rest}`;
  const because = (id: string, verb: string, reason: string): Promise<ManagementAnswer> =>
    done('POST', instance(id, `/${verb}?reason=${encodeURIComponent(reason)}`));
  return {
    send,
    async start(name, id, input) {
      const path = `orchestrators/${name}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
      const { text } = await done('POST', path, input);
      return (JSON.parse(text) as { id: string }).id;
    },
    async status(id, query = {}) {
      return JSON.parse((await done('GET', instance(id, flagsOf(query)))).text) as InstanceStatus;
    },
    async find(id, query = {}) {
      const answer = await send('GET', instance(id, flagsOf(query)));
      if (answer.status === 404) return undefined;
      if (answer.status >= 300) throw new ManagementError(`GET ${id}`, answer);
      return JSON.parse(answer.text) as InstanceStatus;
    },
    raise: async (id, event, data) => {
      await done('POST', instance(id, `/raiseEvent/${event}`), data);
    },
    terminate: async (id, reason) => {
      await because(id, 'terminate', reason);
    },
    suspend: async (id, reason) => {
      await because(id, 'suspend', reason);
    },
    resume: async (id, reason) => {
      await because(id, 'resume', reason);
    },
    purge: async (id) => {
      await done('DELETE', instance(id));
    },
  };
}

/**
 * Polls until `predicate` holds. An instance that is missing and a host that is away are waited for.
 * @throws with the last status and the host's last output lines when it takes longer than `limitMs`
 */
export async function waitUntil(
  client: ManagementClient,
  id: string,
  predicate: (status: InstanceStatus) => boolean,
  limitMs = 60_000,
  host?: { log(): string },
): Promise<InstanceStatus> {
  const until = Date.now() + limitMs;
  for (;;) {
    let last: string;
    try {
      const status = await client.find(id);
      if (status !== undefined && predicate(status)) return status;
      last = status === undefined ? 'no such instance' : JSON.stringify(status);
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() > until) {
      const limit = `${id} did not get there in ${String(limitMs)} ms: ${last.slice(0, 1_000)}`;
      throw new Error(host === undefined ? limit : `${limit}\n${host.log()}`);
    }
    await delay(POLL_MS);
  }
}
