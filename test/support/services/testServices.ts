import { createCatalog } from '../../../src/catalog/catalog.ts';
import type { ToolDefinition } from '../../../src/catalog/tool.ts';
import { readSettings } from '../../../src/config/read.ts';
import type { Ledger } from '../../../src/ledger/port.ts';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import type { Engine } from '../../../src/runs/engine.ts';
import type { Services } from '../../../src/runs/services.ts';
import { runInHost } from '../../../src/runs/toolRunner.ts';
import { current } from '../testApp/journal.ts';
import { createMemoryArtifactStore, type MemoryStore } from '../artifacts/memoryStore.ts';

export interface TestServices extends Services {
  readonly store: MemoryStore;
  readonly ledger: Ledger;
  /** Lines the logger got. */
  readonly lines: string[];
  clock: number;
}

/** Services on an in-memory ledger and store; tools run in this process; time stands still unless a test moves it. */
export async function testServices(tools: readonly ToolDefinition[]): Promise<TestServices> {
  const ledger = openSqliteLedger({ path: ':memory:' });
  await ledger.migrate();
  const catalog = createCatalog(tools);
  const lines: string[] = [];
  const log = new Proxy(
    {},
    {
      get:
        (_target, name) =>
        (...parts: unknown[]) =>
          void lines.push([String(name), ...parts].join(' ')),
    },
  );
  const services: TestServices = {
    settings: readSettings({
      AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
      GEOAGENT_TASK_HUB: 'GeoAgentTest',
      AzureWebJobsStorage: 'UseDevelopmentStorage=true',
    }),
    ledger,
    store: createMemoryArtifactStore(),
    catalog,
    tools: {
      run: async (name, run, options) => {
        const tool = services.catalog.get(name);
        if (tool === undefined) throw new Error(`no tool ${name}`);
        const work = (): ReturnType<typeof runInHost> => runInHost(tool, run, options);
        return options.operation === undefined ? work() : current.run(options.operation, work);
      },
      inspect: async () => ({}),
      close: async () => undefined,
    },
    sample: null,
    log: log as Services['log'],
    lines,
    clock: Date.UTC(2026, 0, 5, 10),
    now: () => services.clock,
  };
  return services;
}

/** An engine that only notes what it was asked. `woken` holds event names, `wakes` instance and event. */
export function notingEngine(): Engine & {
  readonly started: string[];
  readonly woken: string[];
  readonly wakes: (readonly [instanceId: string, event: string])[];
} {
  const wakes: (readonly [string, string])[] = [];
  const started: string[] = [];
  const woken: string[] = [];
  return {
    started,
    woken,
    wakes,
    start: async (instanceId) => void started.push(instanceId),
    status: async () => undefined,
    wake: async (instanceId, eventName) => {
      woken.push(eventName);
      wakes.push([instanceId, eventName]);
    },
  };
}
