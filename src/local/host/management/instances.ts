import { isFinal, StatusNumber, type HistoryEvent, type RuntimeStatus } from '../durable/events.ts';
import type { Delivery } from '../engine/clientOperations.ts';
import type { InstanceRecord } from '../store/instanceTable.ts';
import { shapeHistory } from './historyShape.ts';
import type { ManagementScope } from './management.ts';
import { badRequest, flag, isJson, type ManagementRequest, type Reply } from './reply.ts';
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

/** A comma list of status names; unknown names are ignored. Undefined when the parameter is absent. */
function statusesOf(query: URLSearchParams): RuntimeStatus[] | undefined {
  const text = query.get('runtimeStatus');
  if (text === null || text === '') return undefined;
  const wanted = new Set(text.split(',').map((name) => name.trim().toLowerCase()));
  return (Object.keys(StatusNumber) as RuntimeStatus[]).filter((name) => wanted.has(name.toLowerCase()));
}

function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

const encodeToken = (record: InstanceRecord): string =>
  Buffer.from(JSON.stringify({ createdMs: record.createdMs, instanceId: record.instanceId })).toString('base64url');

function decodeToken(token: string | undefined): { createdMs: number; instanceId: string } | undefined {
  if (token === undefined || token === '') return undefined;
  try {
    const value = JSON.parse(Buffer.from(token, 'base64url').toString()) as {
      createdMs?: unknown;
      instanceId?: unknown;
    };
    if (typeof value.createdMs !== 'number' || typeof value.instanceId !== 'string') return undefined;
    return { createdMs: value.createdMs, instanceId: value.instanceId };
  } catch {
    return undefined;
  }
}

const DEFAULT_PAGE = 100;

/** `GET instances/`: a page, and the token of the next one in `x-ms-continuation-token` (empty when done). */
export function listInstances(scope: ManagementScope, request: ManagementRequest): Reply {
  const { query } = request;
  const top = Math.max(1, Math.trunc(Number(query.get('top') ?? DEFAULT_PAGE)) || DEFAULT_PAGE);
  const found = scope.engine.client.list({
    prefix: query.get('instanceIdPrefix') ?? undefined,
    createdFrom: timeOf(query, 'createdTimeFrom'),
    createdTo: timeOf(query, 'createdTimeTo'),
    statuses: statusesOf(query),
    after: decodeToken(request.continuationToken),
    top: top + 1,
  });
  const page = found.slice(0, top);
  const last = page.at(-1);
  const showInput = flag(query, 'showInput', true);
  return {
    status: 200,
    headers: { 'x-ms-continuation-token': found.length > top && last !== undefined ? encodeToken(last) : '' },
    body: page.map((record) => statusBody(record, { showInput })),
  };
}

/** `DELETE instances/{id}`: any state. */
export function purgeOne(scope: ManagementScope, request: ManagementRequest): Reply {
  return scope.engine.client.purge(request.segments[1] ?? '')
    ? { status: 200, body: { instancesDeleted: 1 } }
    : NOT_FOUND;
}

/** `DELETE instances/` by creation time. */
export function purgeMany(scope: ManagementScope, request: ManagementRequest): Reply {
  const createdFrom = timeOf(request.query, 'createdTimeFrom');
  if (createdFrom === undefined) return badRequest("Please provide value for 'createdTimeFrom' parameter.");
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
    return badRequest('Only application/json request content is supported');
  if (!isJson(request.body)) return badRequest('The request body is not JSON.');
  return DELIVERED[scope.engine.client.raise(id, name, request.body)];
}

/** `POST instances/{id}/terminate | suspend | resume`. */
export function control(
  scope: ManagementScope,
  request: ManagementRequest,
  operation: 'terminate' | 'suspend' | 'resume',
): Reply {
  return DELIVERED[scope.engine.client[operation](request.segments[1] ?? '', request.query.get('reason'))];
}
