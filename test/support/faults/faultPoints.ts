import { StoreUnavailable, type Ledger } from '../../../src/ledger/port.ts';
import type { JobSteps, ToolDefinition } from '../../../src/catalog/tool.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import { ToolError } from '../../../src/plan/errors.ts';
import type { Services } from '../../../src/runs/services.ts';
import { JOB_CALLS, LEDGER_WRITES, type Part } from './points.ts';

/** A call that is about to be made. */
export interface Site {
  readonly part: Part;
  readonly method: string;
  /** Whose run, where the arguments say so. */
  readonly runId: string | undefined;
  readonly idempotencyKey?: string | null;
}

/** Decides what becomes of a call: make it, or not, or make it and say something else. */
export type Around = <T>(site: Site, call: () => Promise<T>) => Promise<T>;

const WRITES: ReadonlySet<string> = new Set(LEDGER_WRITES);

function namedRun(first: unknown): Pick<Site, 'runId' | 'idempotencyKey'> {
  if (typeof first === 'string') return { runId: first };
  const { runId, idempotencyKey } = (first ?? {}) as { runId?: string; idempotencyKey?: string | null };
  return idempotencyKey === undefined ? { runId } : { runId, idempotencyKey };
}

/** Methods whose first argument is no run id though it is text. */
const BY_KEY: ReadonlySet<string> = new Set([
  'renew',
  'submitted',
  'follow',
  'release',
  'complete',
  'fail',
  'moveInstance',
]);

function wrapLedger(ledger: Ledger, around: Around): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      const own = Reflect.get(target, name) as unknown;
      if (typeof own !== 'function') return own;
      const method = String(name);
      const bound = (own as (...args: unknown[]) => Promise<unknown>).bind(target);
      if (!WRITES.has(method)) return bound;
      return (...args: unknown[]) => {
        const named = BY_KEY.has(method) ? { runId: undefined } : namedRun(args[0]);
        return around({ part: 'ledger', method, ...named }, () => bound(...args));
      };
    },
  });
}

function wrapTool(tool: ToolDefinition, around: Around): ToolDefinition {
  const job = tool.job;
  if (job === undefined) return tool;
  const steps = { ...job } as Record<string, unknown>;
  for (const method of JOB_CALLS) {
    const step = job[method] as (...args: unknown[]) => Promise<unknown>;
    steps[method] = (...args: unknown[]) => around({ part: 'job', method, runId: undefined }, () => step(...args));
  }
  return { ...tool, job: steps as unknown as JobSteps<unknown> };
}

function wrapCatalog(catalog: Catalog, around: Around): Catalog {
  const wrapped = new Map(catalog.list().map((tool) => [tool.name, wrapTool(tool, around)]));
  return { ...catalog, get: (name) => wrapped.get(name), list: () => [...wrapped.values()] };
}

/** The services with a point before and after each ledger write, blob commit, tool execution and call of a job's service. */
export function faultPoints<S extends Services>(services: S, around: Around): S {
  const { store, tools } = services;
  return {
    ...services,
    ledger: wrapLedger(services.ledger, around),
    catalog: wrapCatalog(services.catalog, around),
    store: {
      ready: () => store.ready(),
      read: (...args) => store.read(...args),
      putStream: (...args) => store.putStream(...args),
      put: (...args) => around({ part: 'store', method: 'put', runId: undefined }, () => store.put(...args)),
    },
    tools: {
      run: (name, run, options) =>
        around({ part: 'tools', method: 'run', runId: options.operation?.runId }, () => tools.run(name, run, options)),
      inspect: (...args) => tools.inspect(...args),
      close: () => tools.close(),
    },
  };
}

/** What the caller is told when a call of this part breaks: what its port says about a service that is away. */
export function brokenCall(part: Part): Error {
  switch (part) {
    case 'ledger':
    case 'store':
      return new StoreUnavailable('fault: the store did not answer');
    case 'tools':
      return new ToolError('TOOL_FAILED', 'fault: the tool process was lost', { class: 'transient' });
    default:
      return new Error('fault: connection reset');
  }
}
