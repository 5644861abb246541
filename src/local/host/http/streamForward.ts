import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';

/** Headers that belong to one connection and are not passed on. */
const HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

export interface Forward {
  /** Resolves when the answer has been passed on, the client has gone, or the library's server failed. Never rejects. */
  readonly done: Promise<void>;
  /** Resolves when the library has begun to answer. */
  readonly answered: Promise<void>;
  /** Gives up: the handler failed and no answer will come. True when nothing of an answer had been sent. */
  abandon(): boolean;
}

const agent = new Agent({ keepAlive: true });

/**
 * Forwards a request to the library's own server (stream mode) and pipes its answer back.
 * @param target origin that the library announced in `HttpUri`
 */
export function forward(
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  invocationId: string,
): Forward {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name, value]) => value !== undefined && !HOP.has(name)),
  );
  const upstream = httpRequest({
    agent,
    // The library's server listens on every address; `localhost` may resolve to one that it does not have.
    host: target.hostname === 'localhost' ? '127.0.0.1' : target.hostname,
    port: target.port,
    method: request.method,
    path: request.url,
    headers: {
      ...headers,
      ...(request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
      'x-ms-invocation-id': invocationId,
      'x-forwarded-host': request.headers.host ?? 'localhost',
      'x-forwarded-proto': 'http',
    },
  });
  const answered = new Promise<void>((resolve) => upstream.once('response', () => resolve()));
  let whole = false;
  // An early answer (a refusal) must reach a client that is still sending: its bytes are taken and dropped.
  response.once('finish', () => {
    request.unpipe(upstream);
    request.resume();
  });
  const done = new Promise<void>((resolve) => {
    response.once('close', () => {
      // The client has gone, or all is sent: the library's side must not wait for ever.
      upstream.destroy();
      resolve();
    });
    upstream.once('error', () => {
      // An answer that has arrived whole stands, whatever becomes of the rest of the request.
      if (response.headersSent && !whole) response.destroy();
      resolve();
    });
    upstream.once('response', (answer) => {
      const passed = Object.entries(answer.headers).filter(([name]) => !HOP.has(name) && name !== 'x-ms-invocation-id');
      response.writeHead(answer.statusCode ?? 500, Object.fromEntries(passed));
      // Headers go out before the first chunk of a stream.
      response.flushHeaders();
      answer.once('end', () => (whole = true));
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
  });
  request.pipe(upstream);
  request.once('error', () => upstream.destroy());
  return {
    done,
    answered,
    abandon() {
      if (response.headersSent) return false;
      request.unpipe(upstream);
      upstream.destroy();
      return true;
    },
  };
}
