import type { DurableUrls } from '../client/urls.ts';
import type { Clock } from '../clock.ts';
import { ClientError } from '../engine/clientError.ts';
import type { Engine } from '../engine/engine.ts';
import { control, getStatus, listInstances, purgeMany, purgeOne, raiseEvent, rewindInstance } from './instances.ts';
import { restartInstance, startInstance } from './orchestrators.ts';
import { exception, refusal, unsupported, type ManagementRequest, type Reply } from './reply.ts';

export interface ManagementScope {
  readonly engine: Engine;
  readonly clock: Clock;
  urls(): DurableUrls;
}

async function route(scope: ManagementScope, request: ManagementRequest): Promise<Reply> {
  const [area = '', , verb] = request.segments.map((segment) => segment.toLowerCase());
  const { method } = request;
  const count = request.segments.length;
  if (area === 'entities') return unsupported('durable entities');
  if (area === 'orchestrators' && method === 'POST' && (count === 2 || count === 3))
    return startInstance(scope, request);
  if (area === 'instances') {
    if (count === 1 && method === 'GET') return listInstances(scope, request);
    if (count === 1 && method === 'DELETE') return purgeMany(scope, request);
    if (count === 2 && method === 'GET') return getStatus(scope, request);
    if (count === 2 && method === 'DELETE') return purgeOne(scope, request);
    if (count === 4 && method === 'POST' && verb === 'raiseevent') return raiseEvent(scope, request);
    if (count === 3 && method === 'POST') {
      if (verb === 'terminate' || verb === 'suspend' || verb === 'resume') return control(scope, request, verb);
      if (verb === 'restart') return restartInstance(scope, request);
      if (verb === 'rewind') return rewindInstance(scope, request);
    }
  }
  return { status: 404 };
}

function refused(error: ClientError): Reply {
  switch (error.kind) {
    case 'exists':
      return refusal(409, error.message);
    case 'argument':
      return exception(
        400,
        'One or more of the arguments submitted is incorrect',
        error.message,
        'System.ArgumentException',
      );
    case 'state':
      return exception(
        500,
        'Something went wrong while processing your request',
        error.message,
        'System.InvalidOperationException',
      );
  }
}

/** Answers one request of the durable management API; the same for webhooks and RPC. */
export async function manage(scope: ManagementScope, request: ManagementRequest): Promise<Reply> {
  try {
    return await route(scope, request);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return refused(error);
  }
}
