import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createBlobArtifactStore } from '../../../src/artifacts/blobStore.ts';
import { sha256Hex } from '../../../src/plan/sha256.ts';
import { StoreUnavailable } from '../../../src/ledger/port.ts';

/** A blob service that answers as told: the emulator cannot be made to answer as the cloud does on a bad day. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function storeOn(answer: Answer, containerWaitsMs: readonly number[] = [1, 1, 1]) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0] ?? ''}`);
    request.resume();
    request.on('end', () => {
      answer(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/account`;
  const key = Buffer.from('key').toString('base64');
  const store = createBlobArtifactStore(
    {
      storageConnectionString: `DefaultEndpointsProtocol=http;AccountName=account;AccountKey=${key};BlobEndpoint=${endpoint}`,
      artifacts: { container: 'artifacts', accountUrl: null, clientId: null },
    },
    { containerWaitsMs },
  );
  return { store, requests };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'x-ms-error-code': code, 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}
const isContainer = (request: IncomingMessage): boolean => request.url?.includes('restype=container') ?? false;

const bytes = new TextEncoder().encode('hello');
const sha256 = sha256Hex(bytes);

describe('O-17 a container that is being deleted', () => {
  it('is waited for, then created, then written to', async () => {
    let deleting = 3;
    let there = false;
    const { store, requests } = await storeOn((request, response) => {
      deleting -= 1;
      if (deleting > 0) refuse(response, 409, 'ContainerBeingDeleted');
      else if (isContainer(request)) {
        there = true;
        response.writeHead(201).end();
      } else if (there) response.writeHead(201).end();
      else refuse(response, 404, 'ContainerNotFound');
    });
    await store.put('a', bytes, 'text/plain', sha256);
    expect(requests).toEqual([
      'PUT /account/artifacts/a',
      'PUT /account/artifacts/a',
      'PUT /account/artifacts/a',
      'PUT /account/artifacts',
      'PUT /account/artifacts/a',
    ]);
  });

  it('is given up after the bound, as the store and not as the artifact', async () => {
    const { store, requests } = await storeOn((_request, response) => {
      refuse(response, 409, 'ContainerBeingDeleted');
    });
    await expect(store.put('a', bytes, 'text/plain', sha256)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(requests).toHaveLength(4);
  });
});

describe('O-17 create-only', () => {
  it('every write says so, and carries a checksum for the way', async () => {
    const headers: IncomingMessage['headers'][] = [];
    const { store } = await storeOn((request, response) => {
      headers.push(request.headers);
      response.writeHead(201).end();
    });
    await store.put('a', bytes, 'text/plain', sha256);
    async function* source(): AsyncGenerator<Uint8Array> {
      yield bytes;
    }
    await store.putStream(source(), {
      maxBytes: 10,
      mediaType: 'text/csv',
      temporaryName: 't',
      nameOf: (name) => name,
    });
    expect(headers.map((sent) => [sent['if-none-match'], sent['content-md5'], sent['x-ms-blob-content-type']])).toEqual(
      [
        ['*', 'XUFAKrxLKna5cZ2REBfFkg==', 'text/plain'],
        ['*', 'XUFAKrxLKna5cZ2REBfFkg==', 'text/csv'],
      ],
    );
  });

  it('a write whose answer was lost finds its own bytes and is a success', async () => {
    let writes = 0;
    const { store } = await storeOn((request, response) => {
      if (request.method === 'PUT') {
        writes += 1;
        if (writes === 1) request.socket.destroy();
        else refuse(response, 409, 'BlobAlreadyExists');
        return;
      }
      response.writeHead(request.method === 'HEAD' ? 200 : 206, { 'content-length': '5', etag: '"1"' });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    });
    await store.put('a', bytes, 'text/plain', sha256);
    expect(writes).toBe(2);
  });

  it.each([
    ['denied', 403, 'AuthorizationPermissionMismatch'],
    ['busy', 503, 'ServerBusy'],
    ['damaged on the way', 400, 'Md5Mismatch'],
  ])('%s is the store’s trouble, to be tried again later', async (_what, status, code) => {
    const { store } = await storeOn((_request, response) => {
      refuse(response, status, code);
    });
    await expect(store.put('a', bytes, 'text/plain', sha256)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('a 404 to HEAD without any code is a lost artifact', async () => {
    const { store } = await storeOn((_request, response) => {
      response.writeHead(404).end();
    });
    await expect(store.read('a', { sha256, bytes: 5 })).rejects.toMatchObject({ code: 'ARTIFACT_LOST' });
  });
});
