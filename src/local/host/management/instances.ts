import { isFinal, StatusNumber, type HistoryEvent, type RuntimeStatus } from '../durable/events.ts';
import type { Delivery } from '../engine/clientOperations.ts';
import { shapeHistory } from './historyShape.ts';
import type { ManagementScope } from './management.ts';
import { flag, parseBody, refusal, unsupported, type ManagementRequest, type Reply } from './reply.ts';
import { statusBody } from './statusBody.ts';

const NOT_FOUND: Reply = { status: 404 };

/** `GET instances/{id}`: 202 while it runs, 200 when finished (500 for Failed, if asked). */
export function getStatus(scope: ManagementScope, request: ManagementRequest): Reply {
  const { query } = request;
  const record = scope.engine.client.status(request.segments[1] ?? '');
  if (record === undefined) return NOT_FOUND;
  const showInput = flag(query, 'showInput', true);
  const history = flag(query, 'showHistory', false)
    ? shapeHistory(
        scope.engine.client.history(record.instanceId).map((text) => JSON.parse(text) as HistoryEvent),
        { showOutput: flag(query, 'showHistoryOutput', false), showInput },
      )
    : undefined;
  const body = statusBody(record, { showInput, history });
  if (!isFinal(record.status)) return { status: 202, headers: { location: request.url, 'retry-after': '5' }, body };
  const failed = record.status === 'Failed' && flag(query, 'returnInternalServerErrorOnFailure', false);
  return { status: failed ? 500 : 200, body };
}

/** A comma list of status names; unknown names are ignored. Undefined when no known one is there: no filter. */
function statusesOf(query: URLSearchParams): RuntimeStatus[] | undefined {
  const text = query.get('runtimeStatus');
  if (text === null || text === '') return undefined;
  const wanted = new Set(text.split(',').map((name) => name.trim().toLowerCase()));
  const known = (Object.keys(StatusNumber) as RuntimeStatus[]).filter((name) => wanted.has(name.toLowerCase()));
  return known.length === 0 ? undefined : known;
}

function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** A token names the last instance of its page; in JSON, so that it is never empty. */
const encodeToken = (instanceId: string): string => Buffer.from(JSON.stringify(instanceId)).toString('base64url');

function decodeToken(token: string | undefined): string | undefined {
  if (token === undefined || token === '') return undefined;
  try {
    const value = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const DEFAULT_PAGE = 100;

function pageSize(query: URLSearchParams): number {
  const text = query.get('top') ?? '';
  return /^\d+$/.test(text) ? Number(text) : DEFAULT_PAGE;
}

/** `GET instances/`: a page, and the token of the next one in `x-ms-continuation-token` (empty when done). */
export function listInstances(scope: ManagementScope, request: ManagementRequest): Reply {
  const { query } = request;
  const top = pageSize(query);
  const found = scope.engine.client.list({
    prefix: query.get('instanceIdPrefix') ?? undefined,
    createdFrom: timeOf(query, 'createdTimeFrom'),
    createdTo: timeOf(query, 'createdTimeTo'),
    statuses: statusesOf(query),
    after: decodeToken(request.continuationToken),
    top: top + 1,
  });
  const page = found.slice(0, top);
  const showInput = flag(query, 'showInput', true);
  return {
    status: 200,
    headers: { 'x-ms-continuation-token': found.length > top ? encodeToken(page.at(-1)?.instanceId ?? '') : '' },
    body: page.map((record) => statusBody(record, { showInput })),
  };
}

/** `DELETE instances/{id}`: 412 while it is not finished. */
export function purgeOne(scope: ManagementScope, request: ManagementRequest): Reply {
  const id = request.segments[1] ?? '';
  const record = scope.engine.client.status(id);
  if (record !== undefined && !isFinal(record.status)) {
    const body = `Only orchestrations in a terminal state can be purged, but the orchestration with instance ID ${id} has status ${record.status}`;
    return { status: 412, body };
  }
  return scope.engine.client.purge(id) ? { status: 200, body: { instancesDeleted: 1 } } : NOT_FOUND;
}

/** `DELETE instances/` by creation time. */
export function purgeMany(scope: ManagementScope, request: ManagementRequest): Reply {
  const createdFrom = timeOf(request.query, 'createdTimeFrom');
  if (createdFrom === undefined) return { status: 400, body: "Please provide value for 'createdTimeFrom' parameter." };
  const createdTo = timeOf(request.query, 'createdTimeTo') ?? scope.clock.now();
  const deleted = scope.engine.client.purgeBy({ createdFrom, createdTo, statuses: statusesOf(request.query) ?? [] });
  return deleted === 0 ? NOT_FOUND : { status: 200, body: { instancesDeleted: deleted } };
}

const DELIVERED: Readonly<Record<Delivery, Reply>> = {
  accepted: { status: 202 },
  notFound: NOT_FOUND,
  finished: { status: 410 },
};

/** `POST instances/{id}/raiseEvent/{name}`: 404, 410, content type (400), JSON (400), 202, in this order. */
export function raiseEvent(scope: ManagementScope, request: ManagementRequest): Reply {
  const [, id = '', , name = ''] = request.segments;
  const record = scope.engine.client.status(id);
  if (record === undefined) return NOT_FOUND;
  if (isFinal(record.status)) return DELIVERED.finished;
  if (!/^application\/json\b/i.test(request.contentType))
    return refusal(400, 'Only application/json request content is supported');
  const body = parseBody(request.body);
  if ('refused' in body) return body.refused;
  // Parsed and written again, as by the engine: without blanks, numbers in their shortest form.
  return DELIVERED[scope.engine.client.raise(id, name, JSON.stringify(body.value))];
}

/** `POST instances/{id}/rewind`: 404 and 412 as on the engine; a failed instance, which that would rewind, 501. */
export function rewindInstance(scope: ManagementScope, request: ManagementRequest): Reply {
  const id = request.segments[1] ?? '';
  const record = scope.engine.client.status(id);
  if (record === undefined) return { status: 404, body: `No orchestration with instance ID "$${id}" found.` };
  if (record.status === 'Failed') return unsupported('rewind');
  const body = `This orchestration has status ${record.status}, but only orchestrations in the "Failed" state can be rewound.`;
  return { status: 412, body };
}

/** `POST instances/{id}/terminate | suspend | resume`. */
export function control(
  scope: ManagementScope,
  request: ManagementRequest,
  operation: 'terminate' | 'suspend' | 'resume',
): Reply {
  return DELIVERED[scope.engine.client[operation](request.segments[1] ?? '', request.query.get('reason'))];
}
