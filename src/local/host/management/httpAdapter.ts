import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLargeError, readBody } from '../http/requestData.ts';
import { manage, type ManagementScope } from './management.ts';
import type { Reply } from './reply.ts';

/** Largest body of a start or an event. */
const BODY_LIMIT = 30 * 1024 * 1024;

function send(response: ServerResponse, reply: Reply): void {
  const headers: Record<string, string> = { ...reply.headers };
  const text = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body));
  headers['content-length'] = String(Buffer.byteLength(text));
  if (text !== '')
    headers['content-type'] = `${reply.text === undefined ? 'application/json' : 'text/plain'}; charset=utf-8`;
  response.writeHead(reply.status, headers).end(text);
}

/** Serves a management request whose path continues after `base`. */
export async function serveManagement(
  scope: ManagementScope,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  let segments: string[];
  try {
    // As the engine does it: a plus is a blank, and an encoded slash divides like a plain one.
    segments = decodeURIComponent(url.pathname.slice(base.length).replaceAll('+', ' '))
      .split('/')
      .filter((part) => part !== '');
  } catch {
    send(response, { status: 404 });
    return;
  }
  const token = request.headers['x-ms-continuation-token'];
  try {
    const body = await readBody(request, BODY_LIMIT);
    const reply = await manage(scope, {
      method: request.method ?? 'GET',
      segments,
      query: url.searchParams,
      body: body.toString('utf8'),
      contentType: request.headers['content-type'] ?? '',
      continuationToken: typeof token === 'string' ? token : undefined,
      url: url.href,
    });
    send(response, reply);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    send(response, { status: 413 });
  }
}
