import { managementLinks } from '../client/urls.ts';
import type { ManagementScope } from './management.ts';
import { ClientError } from '../engine/clientError.ts';
import { exception, flag, parseBody, refusal, type ManagementRequest, type Reply } from './reply.ts';
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
  if (interval > timeout)
    return refusal(400, `Total timeout ${timeout} should be bigger than retry timeout ${interval}`);
  try {
    const record = await scope.engine.waitFor(instanceId, undefined, scope.clock.now() + timeout * 1000);
    if (record.status === 'Completed') return { status: 200, body: shown(record.output) };
    return { status: 200, body: statusBody(record, { showInput: true }) };
  } catch {
    return checkStatus(scope, instanceId);
  }
}

/** `POST orchestrators/{function}/{id?}`: body parse (400), existing state (409), 202. */
export async function startInstance(scope: ManagementScope, request: ManagementRequest): Promise<Reply> {
  const [, name = '', instanceId] = request.segments;
  const body = parseBody(request.body === '' ? 'null' : request.body);
  if ('refused' in body) return body.refused;
  const version = request.query.get('version') ?? undefined;
  const id = scope.engine.client.start(name, { instanceId, version, input: request.body === '' ? null : request.body });
  return waitOrCheck(scope, request, id);
}

/** `POST instances/{id}/restart`. */
export async function restartInstance(scope: ManagementScope, request: ManagementRequest): Promise<Reply> {
  const { client } = scope.engine;
  const old = request.segments[1] ?? '';
  if (client.status(old) === undefined) {
    return exception(
      400,
      'InstanceId does not match a valid orchestration instance.',
      `No instance with ID '${old}' was found. (Parameter 'instanceId')`,
      'System.ArgumentException',
    );
  }
  try {
    return await waitOrCheck(
      scope,
      request,
      client.restart(old, flag(request.query, 'restartWithNewInstanceId', true)),
    );
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind !== 'exists') throw error;
    return exception(
      409,
      'A non-terminal instance with this instance ID already exists.',
      error.message,
      'DurableTask.Core.Exceptions.OrchestrationAlreadyExistsException',
    );
  }
}
