/** The conversation of a case with a host: what it asks is recorded, what it waits for is not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request, type RequestOptions } from './client.ts';
import { normaliseAnswer, normalisePayload } from './normalise.ts';
import { payloadFile } from './payloadFile.ts';
import type { Answer, LastPayload, Recording, Target } from './types.ts';

export interface Status {
  readonly runtimeStatus: string;
  readonly customStatus: unknown;
  readonly output: unknown;
  readonly historyEvents?: readonly Readonly<Record<string, unknown>>[];
}

const ENDED = new Set(['Completed', 'Failed', 'Terminated', 'Canceled']);
const JSON_TYPE = 'application/json';
export const HISTORY = 'showHistory=true&showHistoryOutput=true';

export class Talk {
  readonly #target: Target;
  readonly #answers: Answer[] = [];
  readonly #payloads: Record<string, LastPayload> = {};

  constructor(target: Target) {
    this.#target = target;
  }

  recording(title: string): Recording {
    return { title, answers: this.#answers, payloads: this.#payloads };
  }

  /** Any request; recorded. @param label instead of a path that differs from run to run */
  async send(method: string, path: string, options: RequestOptions = {}, label = path): Promise<Answer> {
    const raw = await request(this.#target.rpcBaseUrl, method, path, options);
    const shown = options.body === undefined ? '' : ` ${options.body.slice(0, 200)}`;
    const answer = normaliseAnswer(`${method} ${label}${shown}`, raw);
    this.#answers.push(answer);
    return answer;
  }

  /** @param input JSON.stringify'd; undefined: no body */
  start(name: string, id: string, input?: unknown): Promise<Answer> {
    const body = input === undefined ? {} : { body: JSON.stringify(input), contentType: JSON_TYPE };
    return this.send('POST', `orchestrators/${name}/${id}`, body);
  }

  /** Starts many at once; which is first is not recorded. */
  async startTogether(name: string, ids: readonly string[]): Promise<void> {
    const answers = await Promise.all(
      ids.map((id) => request(this.#target.rpcBaseUrl, 'POST', `orchestrators/${name}/${id}`)),
    );
    const statuses = answers.map(({ status }) => status);
    this.#answers.push({
      request: `POST orchestrators/${name}, all`,
      status: Math.max(...statuses),
      headers: {},
      body: statuses,
    });
  }

  raise(id: string, event: string, data: unknown): Promise<Answer> {
    const options = { body: JSON.stringify(data), contentType: JSON_TYPE };
    return this.send('POST', `instances/${id}/raiseEvent/${event}`, options);
  }

  /** @param verb e.g. `terminate?reason=enough` */
  post(id: string, verb: string): Promise<Answer> {
    return this.send('POST', `instances/${id}/${verb}`);
  }

  status(id: string, query = ''): Promise<Answer> {
    return this.send('GET', `instances/${id}${query === '' ? '' : `?${query}`}`);
  }

  /** Lets the activity `held` of that key answer. */
  release(key: string): void {
    writeFileSync(join(this.#target.payloads, `released-${key}`), '');
  }

  /** Asks without recording; undefined when there is none. */
  async look(id: string, query = ''): Promise<Status | undefined> {
    const { status, text } = await request(this.#target.rpcBaseUrl, 'GET', `instances/${id}?${query}`);
    return status === 404 ? undefined : (JSON.parse(text) as Status);
  }

  /** Polls until `wanted` holds. */
  async until(id: string, wanted: (status: Status) => boolean, query = ''): Promise<Status> {
    const until = Date.now() + this.#target.limitMs;
    for (;;) {
      const status = await this.look(id, query);
      if (status !== undefined && wanted(status)) return status;
      if (Date.now() > until)
        throw new Error(`${id} did not get there: ${JSON.stringify(status ?? 'no such instance').slice(0, 1_000)}`);
      await delay(60);
    }
  }

  untilStatus(id: string, runtimeStatus: string): Promise<Status> {
    return this.until(id, (status) => status.runtimeStatus === runtimeStatus);
  }

  untilCustom(id: string, customStatus: unknown): Promise<Status> {
    const wanted = JSON.stringify(customStatus);
    return this.until(
      id,
      (status) => status.runtimeStatus === 'Running' && JSON.stringify(status.customStatus) === wanted,
    );
  }

  /** Until the history shows `count` events of a type. */
  untilShown(id: string, eventType: string, count = 1): Promise<Status> {
    const shows = (status: Status): boolean =>
      (status.historyEvents ?? []).filter((event) => event['EventType'] === eventType).length >= count;
    return this.until(id, shows, HISTORY);
  }

  /** A purge by filter: how many instances other cases have left is not recorded, only whether there were some. */
  async purgeSome(query: string): Promise<void> {
    const { status, headers, text } = await request(this.#target.rpcBaseUrl, 'DELETE', `instances/${query}`);
    const some = text.replace(/"instancesDeleted":[1-9]\d*/, '"instancesDeleted":"<some>"');
    this.#answers.push(normaliseAnswer(`DELETE instances/${query}`, { status, headers, text: some }));
  }

  /** Follows the continuation token of a list to its end; records the ids and how many came by page. */
  async pages(path: string): Promise<void> {
    const ids: string[] = [];
    const sizes: number[] = [];
    for (let token = ''; ;) {
      const headers: Record<string, string> = token === '' ? {} : { 'x-ms-continuation-token': token };
      const answer = await request(this.#target.rpcBaseUrl, 'GET', path, { headers });
      const page = JSON.parse(answer.text) as { instanceId: string }[];
      ids.push(...page.map(({ instanceId }) => instanceId));
      sizes.push(page.length);
      token = answer.headers.get('x-ms-continuation-token') ?? '';
      if (token === '') break;
    }
    this.#answers.push({ request: `GET ${path}, all pages`, status: 200, headers: {}, body: { sizes, ids } });
  }

  /** Waits for the end; records status with history, and the last payload. */
  async end(id: string): Promise<void> {
    await this.until(id, (status) => ENDED.has(status.runtimeStatus));
    await this.seen(id);
  }

  /** Records status with history, and the last payload. */
  async seen(id: string): Promise<void> {
    await this.status(id, HISTORY);
    this.#payloads[id] = normalisePayload(readFileSync(join(this.#target.payloads, payloadFile(id)), 'utf8'));
  }
}
