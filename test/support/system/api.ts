// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at answers field by field, whatever they hold
export type Loose = any;

/** A caller of the API, as small as curl. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Loose;
}

export const TERMINAL = new Set([
  'succeeded',
  'rejected',
  'failed',
  'cancelled',
  'unverified',
  'blocked',
  'readyForReview',
]);

export async function call(
  baseUrl: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${baseUrl}/api${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  let parsed: unknown = text;
  if ((response.headers.get('content-type') ?? '').includes('json')) parsed = JSON.parse(text);
  return { status: response.status, headers: response.headers, body: parsed };
}

/** Uploads bytes and answers their digest. */
export async function upload(baseUrl: string, name: string, bytes: Uint8Array | string): Promise<string> {
  const { status, body } = await call(baseUrl, 'POST', `/uploads?name=${encodeURIComponent(name)}`, bytes, {
    'content-type': 'application/octet-stream',
  });
  if (status !== 201) throw new Error(`upload: ${String(status)} ${JSON.stringify(body)}`);
  return (body as { sha256: string }).sha256;
}

/** Starts a run; throws unless it was accepted. */
export async function startRun(baseUrl: string, body: unknown): Promise<string> {
  const { status, body: answer } = await call(baseUrl, 'POST', '/runs', body);
  if (status !== 202) throw new Error(`start: ${String(status)} ${JSON.stringify(answer)}`);
  return (answer as { runId: string }).runId;
}

/** Polls until the run satisfies `until` (default: has ended). Survives a host that is away. */
export async function waitFor(
  baseUrl: string,
  runId: string,
  until: (run: Loose) => boolean = (run) => TERMINAL.has(run.status),
  ms = 120_000,
): Promise<Loose> {
  const giveUp = Date.now() + ms;
  let last: unknown;
  while (Date.now() < giveUp) {
    const answer = await call(baseUrl, 'GET', `/runs/${runId}`).catch(() => undefined);
    if (answer?.status === 200) {
      last = answer.body;
      if (until(answer.body)) return answer.body;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`run ${runId} did not get there: ${JSON.stringify(last)}`);
}

/** Downloads one output of a run. */
export async function output(baseUrl: string, runId: string, nodeId: string, name: string): Promise<Uint8Array> {
  const { body } = await call(baseUrl, 'GET', `/runs/${runId}/artifacts`);
  const item = (body as { items: { nodeId: string; output: string; id: string }[] }).items.find(
    (one) => one.nodeId === nodeId && one.output === name,
  );
  if (item === undefined) throw new Error(`run ${runId} has no ${nodeId}.${name}`);
  const response = await fetch(`${baseUrl}/api/runs/${runId}/artifacts/${item.id}`);
  return new Uint8Array(await response.arrayBuffer());
}
