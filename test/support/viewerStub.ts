/** A tiny stand-in for the API: serves the bundled viewer and a run whose state moves on with every look. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bundleViewerPage } from '../../src/local/scripts/bundleViewer.mjs';
import { artifactCsp } from '../../src/artifacts/serve.ts';
import { scriptHashes } from '../../src/tools/gis/map/scriptHashes.ts';

export interface StubRun {
  /** Successive answers of `GET /runs/{id}`; the last one stays. */
  readonly states: readonly Record<string, unknown>[];
  readonly plan?: unknown;
  readonly report?: unknown;
  /** Warnings of `GET /runs/{id}/plan`. */
  readonly notes?: readonly unknown[];
  /** What `POST /runs/{id}/{action}` does to the run, and its answer where it refuses. */
  readonly control?: (action: string) => { readonly status: number; readonly body: unknown } | undefined;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ViewerStub {
  readonly origin: string;
  readonly requests: Seen[];
  readonly runs: Map<string, StubRun>;
  /** Bytes of `GET /runs/{id}/artifacts/{artifact}`. */
  readonly artifacts: Map<string, { readonly mediaType: string; readonly bytes: Uint8Array }>;
  /** Answers of `POST /runs`, first to last; the last one stays. */
  readonly starts: { readonly status: number; readonly body: unknown }[];
  close(): Promise<void>;
}

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Starts the stub on a free port of the loopback interface. */
export async function startViewerStub(): Promise<ViewerStub> {
  const page: string = await bundleViewerPage();
  const policy = `default-src 'none'; script-src ${scriptHashes(page)
    .map((hash) => `'${hash}'`)
    .join(
      ' ',
    )}; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'`;
  const looks = new Map<string, number>();
  const stub: Omit<ViewerStub, 'origin' | 'close'> = {
    requests: [],
    runs: new Map(),
    artifacts: new Map(),
    starts: [],
  };

  const answerRun = (response: ServerResponse, id: string, rest: string): void => {
    const run = stub.runs.get(id);
    const artifact = /^\/artifacts\/(.+)$/.exec(rest)?.[1];
    if (!run) json(response, 404, { status: 404, code: 'NOT_FOUND', detail: 'There is no such run.' });
    else if (artifact !== undefined) {
      const found = stub.artifacts.get(artifact);
      if (!found) {
        json(response, 404, { code: 'NOT_FOUND', detail: 'There is no such artifact.' });
        return;
      }
      const hashes = scriptHashes(Buffer.from(found.bytes).toString('utf8'));
      const policy = artifactCsp(hashes);
      response.writeHead(200, { 'content-type': found.mediaType, 'content-security-policy': policy, 'x-content-type-options': 'nosniff' }).end(found.bytes); // prettier-ignore
    } else if (rest === '/plan') json(response, 200, { plan: run.plan, findings: run.notes ?? [] });
    else if (rest === '/report')
      json(response, run.report === undefined ? 404 : 200, run.report ?? { code: 'NOT_FOUND' });
    else if (/^\/(?:cancel|suspend|resume|retry)$/.test(rest)) {
      const { status, body } = run.control?.(rest.slice(1)) ?? { status: 202, body: { runId: id } };
      json(response, status, body);
    } else {
      const look = looks.get(id) ?? 0;
      looks.set(id, look + 1);
      json(response, 200, run.states[Math.min(look, run.states.length - 1)]);
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://stub');
    const body = await read(request);
    stub.requests.push({ method: request.method ?? '', path: url.pathname, headers: request.headers, body });
    const run = /^\/api\/runs\/([^/]+)(\/.*)?$/.exec(url.pathname);
    if (url.pathname === '/api/ui') {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
        .end(page);
    } else if (run) answerRun(response, decodeURIComponent(run[1] ?? ''), run[2] ?? '');
    else if (url.pathname === '/api/runs' && request.method === 'POST') {
      const next = stub.starts.length > 1 ? stub.starts.shift() : stub.starts[0];
      json(response, next?.status ?? 500, next?.body ?? {});
    } else if (url.pathname === '/api/runs') {
      const items = [...stub.runs].map(([runId, { states }]) => ({ runId, ...states[0] }));
      json(response, 200, { items, nextCursor: null });
    } else if (url.pathname === '/api/uploads') json(response, 201, { sha256: 'ab'.repeat(32), bytes: body.length });
    else json(response, 404, { code: 'NOT_FOUND', detail: 'Nothing here.' });
  };
  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    ...stub,
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => void server.close(() => done()));
    },
  };
}

const NODES = ['rainfall', 'rainfall_valid', 'assets', 'surface', 'exposure', 'map'] as const;
const TOOLS = ['gis.readRainfall', 'gis.validateObservations', 'gis.loadAssets', 'gis.interpolate', 'gis.overlayExposure', 'gis.generateMap'] as const; // prettier-ignore

/** Plan of design §2 after normalisation. */
export const STUB_PLAN = {
  nodes: NODES.map((id, index) => ({
    id,
    tool: TOOLS[index],
    dependsOn: [[], ['rainfall'], [], ['rainfall_valid'], ['assets', 'surface'], ['exposure']][index],
    ...(id === 'rainfall_valid' ? { insertedBy: 'normalise' } : {}),
  })),
};

/** A run after `done` of its six steps; the next one runs. `map` carries the HTML artifact `art_map` when it is done. */
export function stubRunAt(runId: string, done: number, goal: string): Record<string, unknown> {
  const nodes = NODES.map((id, index) => ({
    id,
    tool: TOOLS[index],
    state: index < done ? 'succeeded' : index === done ? 'running' : 'pending',
    attempt: 1,
    startedAt: index <= done ? '2026-05-13T07:12:00.000Z' : null,
    endedAt: index < done ? '2026-05-13T07:12:01.400Z' : null,
    ...(id === 'map' && index < done
      ? {
          outputs: {
            html: { id: 'art_map', sha256: 'cd'.repeat(32), bytes: 270_000, mediaType: 'text/html; charset=utf-8' },
            png: { id: 'art_png', sha256: 'ef'.repeat(32), bytes: 330_000, mediaType: 'image/png' },
          },
        }
      : {}),
  }));
  return { runId, goal, status: done >= NODES.length ? 'succeeded' : 'running', nodes, outputs: {} };
}
