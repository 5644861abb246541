import { managementLinks } from '../client/urls.ts';
import type { ManagementScope } from './management.ts';
import { badRequest, flag, isJson, type ManagementRequest, type Reply } from './reply.ts';
import { statusBody, shown } from './statusBody.ts';

/** The 202 of a start: links without rewind, as the webhook writes them. */
export function checkStatus(scope: ManagementScope, instanceId: string): Reply {
  const links = managementLinks(scope.urls(), instanceId, { rewind: false });
  return { status: 202, headers: { location: links['statusQueryGetUri'] ?? '', 'retry-after': '10' }, body: links };
}

/** Waits for the end when `timeout` and `pollingInterval` (seconds) are given; the instance is started already. */
export async function waitOrCheck(
  scope: ManagementScope,
  request: ManagementRequest,
  instanceId: string,
): Promise<Reply> {
  const timeout = Number(request.query.get('timeout') ?? Number.NaN);
  const interval = Number(request.query.get('pollingInterval') ?? Number.NaN);
  if (Number.isNaN(timeout) || Number.isNaN(interval)) return checkStatus(scope, instanceId);
  if (interval > timeout) return badRequest('The timeout must be at least as long as the polling interval.');
  try {
    const record = await scope.engine.waitFor(instanceId, undefined, scope.clock.now() + timeout * 1000);
    if (record.status === 'Completed') return { status: 200, body: shown(record.output) };
    return { status: 200, body: statusBody(record, { showInput: true }) };
  } catch {
    return checkStatus(scope, instanceId);
  }
}

/** `POST orchestrators/{function}/{id?}`: body parse (400), function and id rules (400), existing state (500), 202. */
export async function startInstance(scope: ManagementScope, request: ManagementRequest): Promise<Reply> {
  const [, name = '', instanceId] = request.segments;
  if (request.body !== '' && !isJson(request.body)) return badRequest('The request body is not JSON.');
  const version = request.query.get('version') ?? undefined;
  const id = scope.engine.client.start(name, { instanceId, version, input: request.body === '' ? null : request.body });
  return waitOrCheck(scope, request, id);
}

/** `POST instances/{id}/restart`. */
export async function restartInstance(scope: ManagementScope, request: ManagementRequest): Promise<Reply> {
  const id = scope.engine.client.restart(
    request.segments[1] ?? '',
    flag(request.query, 'restartWithNewInstanceId', true),
  );
  return waitOrCheck(scope, request, id);
}
