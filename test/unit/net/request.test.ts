import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createNet, type Net } from '../../../src/net/net.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(listener: RequestListener): Promise<{ port: number; hits: () => number }> {
  let hits = 0;
  const server: Server = createServer((request, response) => {
    hits += 1;
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, hits: () => hits };
}

const LOCAL = ['127.0.0.0/8'];
function net(connection: Record<string, unknown>, lookup?: LookupFunction): Net {
  const created = createNet({ connections: { x: connection }, ...(lookup === undefined ? {} : { lookup }) });
  cleanups.push(() => created.close());
  return created;
}
const local = (port: number, more: Record<string, unknown> = {}) =>
  net({ origin: `http://127.0.0.1:${port}`, networks: LOCAL, ...more });
const pointing =
  (...addresses: string[]): LookupFunction =>
  (_host, options, callback) => {
    const list = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all === true) callback(null, list);
    else callback(null, list[0]!.address, list[0]!.family);
  };

describe('a request through the one door', () => {
  it('reaches its connection with our headers and its token, and reads the answer', async () => {
    const { port } = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
      });
    });
    const answer = await local(port, { token: 'secret', types: ['application/json'] }).request(
      'x',
      '/rest?f=json#part',
      {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain' },
        body: 'hello',
      },
    );
    expect(answer.status).toBe(200);
    expect(JSON.parse(new TextDecoder().decode(answer.bytes))).toMatchObject({
      method: 'POST',
      url: '/rest?f=json',
      body: 'hello',
      headers: { authorization: 'Bearer secret', 'accept-encoding': 'identity', 'content-type': 'text/plain' },
    });
  });

  it('errors of the other side are answers, with their body', async () => {
    const { port } = await serve((_request, response) => response.writeHead(503).end('later'));
    const answer = await local(port).request('x', '/');
    expect([answer.status, new TextDecoder().decode(answer.bytes)]).toEqual([503, 'later']);
  });
});

describe('EGRESS_DENIED', () => {
  const refused = { code: 'EGRESS_DENIED', class: 'denied' };

  it.each(['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1', '0.0.0.0', '[::ffff:7f00:1]'])(
    'a connection to %s that lists no network',
    async (host) => {
      const { port, hits } = await serve((_request, response) => response.end('secret'));
      await expect(net({ origin: `https://${host}:${port}` }).request('x', '/')).rejects.toMatchObject(refused);
      expect(hits()).toBe(0);
    },
  );

  it.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::1']], [['fd00:ec2::254']], [[]]])(
    'a name that resolves to %j, whatever it was a moment ago',
    async (addresses) => {
      const call = net({ origin: 'https://rebound.test' }, pointing(...addresses)).request('x', '/');
      await expect(call).rejects.toMatchObject(refused);
    },
  );

  it('a name inside a listed network is reached', async () => {
    const { port } = await serve((_request, response) => response.end('ok'));
    const inside = net({ origin: `http://inside.test:${port}`, networks: LOCAL }, pointing('127.0.0.1'));
    expect((await inside.request('x', '/')).status).toBe(200);
  });

  it.each([
    '//evil.test/',
    '/\\evil.test/',
    'https://evil.test/',
    '@evil.test/',
    '',
    'relative',
    '.evil.test/',
    ':80/',
  ])('the path %j', async (path) => {
    const { port, hits } = await serve((_request, response) => response.end());
    await expect(local(port).request('x', path)).rejects.toMatchObject(refused);
    expect(hits()).toBe(0);
  });

  it('an unknown connection, and one named like a property', async () => {
    for (const name of ['y', 'constructor', '__proto__', 'https://evil.test']) {
      await expect(local(1).request(name, '/')).rejects.toMatchObject(refused);
    }
  });

  it.each([301, 302, 303, 307, 308])('a %d redirect, and the token goes nowhere', async (status) => {
    const other = await serve((_request, response) => response.end());
    const { port } = await serve((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${other.port}/` }).end(),
    );
    await expect(local(port, { token: 'secret' }).request('x', '/')).rejects.toMatchObject(refused);
    expect(other.hits()).toBe(0);
  });

  it.each(['Host', 'Authorization', 'cookie', 'Proxy-Authorization', 'X-Forwarded-Host', 'Transfer-Encoding'])(
    'the header %s from a caller',
    async (name) => {
      const { port, hits } = await serve((_request, response) => response.end());
      await expect(local(port).request('x', '/', { headers: { [name]: 'x' } })).rejects.toMatchObject(refused);
      expect(hits()).toBe(0);
    },
  );

  it('a media type that is not listed, and compression nobody asked for', async () => {
    const { port } = await serve((request, response) => {
      if (request.url === '/zip') response.setHeader('content-encoding', 'gzip');
      response.setHeader('content-type', request.url === '/zip' ? 'application/json' : 'text/html');
      response.end('x');
    });
    const only = local(port, { types: ['application/json'] });
    await expect(only.request('x', '/')).rejects.toMatchObject(refused);
    await expect(only.request('x', '/zip')).rejects.toMatchObject(refused);
  });
});

describe('caps', () => {
  it('an answer above the cap is cut off, declared or not', async () => {
    const { port } = await serve((request, response) => {
      if (request.url === '/declared') response.setHeader('content-length', '2000000');
      const pump = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000)));
      };
      response.on('drain', pump);
      pump();
    });
    const capped = local(port, { maxBytes: 100_000 });
    const tooLarge = { code: 'RESULT_TOO_LARGE', class: 'permanent' };
    await expect(capped.request('x', '/declared')).rejects.toMatchObject(tooLarge);
    await expect(capped.request('x', '/endless')).rejects.toMatchObject(tooLarge);
    await expect(capped.request('x', '/endless', { maxBytes: 10 })).rejects.toMatchObject(tooLarge);
  });

  it('silence and dripping both end at the time limit, as transient', async () => {
    const { port } = await serve((request, response) => {
      if (request.url !== '/drip') return;
      const drip = setInterval(() => response.write('x'), 10);
      response.on('close', () => {
        clearInterval(drip);
      });
    });
    const timed = local(port, { timeoutMs: 150 });
    for (const path of ['/silent', '/drip']) {
      await expect(timed.request('x', path)).rejects.toMatchObject({
        code: 'TOOL_FAILED',
        class: 'transient',
        message: 'Connection "x" did not answer within 150 ms.',
      });
    }
  });

  it('a refused or broken connection is transient and tells no address', async () => {
    const { port } = await serve((request) => request.socket.destroy());
    const broken = await local(port)
      .request('x', '/')
      .catch((error: unknown) => error as Error);
    expect(broken).toMatchObject({ code: 'TOOL_FAILED', class: 'transient' });
    const refusedConnection = await local(9)
      .request('x', '/')
      .catch((error: unknown) => error as Error);
    expect(refusedConnection).toMatchObject({ code: 'TOOL_FAILED', class: 'transient' });
    expect((refusedConnection as Error).message).not.toContain('127.0.0.1');
  });

  it('the caller may give up earlier, with its own reason', async () => {
    const { port } = await serve(() => undefined);
    const cancel = new AbortController();
    const call = local(port).request('x', '/', { signal: cancel.signal });
    cancel.abort(new Error('cancelled'));
    await expect(call).rejects.toThrow('cancelled');
  });
});
