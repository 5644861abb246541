import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { startSystem } from './system.ts';

const GOAL =
  'Analizza le precipitazioni delle ultime 24 ore, individua le aree potenzialmente critiche e produci una mappa delle infrastrutture esposte';

interface NodeView {
  readonly id: string;
  readonly tool: string;
  readonly state: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}
interface RunView {
  readonly status: string;
  readonly headline: string | null;
  readonly nodes: readonly NodeView[];
  readonly error: { readonly code: string; readonly message: string } | null;
}
interface ArtifactItem {
  readonly id: string;
  readonly nodeId: string;
  readonly output: string;
  readonly type: { readonly kind: string; readonly role?: string };
  readonly fileName: string;
  readonly link: string;
}

const ENDED = new Set(['succeeded', 'rejected', 'failed', 'cancelled', 'unverified', 'blocked']);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function get(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`GET ${url}: HTTP ${String(response.status)} ${await response.text()}`);
  return response;
}

/** Prints each change of a node once: reads well in a terminal and in a CI log. */
function printChanges(run: RunView, seen: Map<string, string>): void {
  for (const node of run.nodes) {
    if (seen.get(node.id) === node.state || node.state === 'pending' || node.state === 'ready') continue;
    seen.set(node.id, node.state);
    const ms =
      node.startedAt !== null && node.endedAt !== null
        ? ` ${String(Date.parse(node.endedAt) - Date.parse(node.startedAt))} ms`
        : '';
    const colour = node.state === 'succeeded' ? 'green' : node.state === 'failed' ? 'red' : 'cyan';
    say(
      `  ${styleText(colour, node.state.padEnd(10))} ${node.id} (${node.tool})${ms}${node.error === undefined ? '' : ` ${node.error.code}: ${node.error.message}`}`,
    );
  }
}

async function follow(baseUrl: string, runId: string): Promise<RunView> {
  const seen = new Map<string, string>();
  for (;;) {
    const run = (await (await get(`${baseUrl}/api/runs/${runId}`)).json()) as RunView;
    printChanges(run, seen);
    if (ENDED.has(run.status)) return run;
    await new Promise((done) => setTimeout(done, 250));
  }
}

/** Runs the main job on the bundled sample through the real HTTP API and leaves four files behind; exit code 0 or 1. */
export async function demo(options: { readonly port: number; readonly state?: string }): Promise<number> {
  const system = await startSystem(options);
  try {
    say(`GeoAgent demo (synthetic sample data)\n  goal: ${GOAL}`);
    const response = await fetch(`${system.baseUrl}/api/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ goal: GOAL, locale: 'it' }),
    });
    const started = (await response.json()) as { runId: string };
    if (response.status !== 202) throw new Error(`the run was not accepted: ${JSON.stringify(started)}`);
    const run = await follow(system.baseUrl, started.runId);
    if (run.status !== 'succeeded') {
      say(
        `run ${started.runId} ended ${run.status}${run.error === null ? '' : `: ${run.error.code} ${run.error.message}`}`,
      );
      return 1;
    }
    say(`  ${run.headline ?? ''}`);
    await saveFiles(system.baseUrl, started.runId, join(system.stateDirectory, 'demo', started.runId));
    return 0;
  } finally {
    await system.stop(true);
  }
}

async function saveFiles(baseUrl: string, runId: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { items } = (await (await get(`${baseUrl}/api/runs/${runId}/artifacts`)).json()) as { items: ArtifactItem[] };
  const save = async (label: string, match: (item: ArtifactItem) => boolean): Promise<string> => {
    const item = items.find(match);
    if (item === undefined) throw new Error(`the run left no ${label}`);
    const path = join(folder, item.fileName);
    writeFileSync(path, Buffer.from(await (await get(item.link)).arrayBuffer()));
    return `${label}: ${path}`;
  };
  const lines = [
    await save('map', (item) => item.output === 'html'),
    await save('image', (item) => item.output === 'png'),
    await save('surface', (item) => item.type.kind === 'raster' && item.type.role === 'rain'),
  ];
  const report = (await (await get(`${baseUrl}/api/runs/${runId}/report`)).json()) as { text: string };
  const path = join(folder, 'report.txt');
  writeFileSync(path, `${report.text}\n`);
  for (const line of [...lines, `report: ${path}`]) say(line);
}
