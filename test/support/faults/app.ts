/** The test app with fault points everywhere, as an entry file for any host. FAULTS_FOLDER names the cells' folder. */
import { createRequire } from 'node:module';
import { app } from '@azure/functions';
import { changeServices } from '../../../src/runs/compose.ts';
import { faultPoints } from './faultPoints.ts';
import { Lab, type Delivered } from './lab.ts';
import { ENGINE_CALLS } from './points.ts';
import '../testApp/app.ts';

const folder = process.env['FAULTS_FOLDER'];
if (folder === undefined) throw new Error('FAULTS_FOLDER names no folder.');
const lab = new Lab(folder);

changeServices((services) => {
  lab.useLedger(services.ledger);
  return faultPoints(services, lab.around);
});

/** `<runId>` or `<runId>-<12 hex>`. */
const runOf = (instanceId: unknown): string | undefined =>
  typeof instanceId === 'string' ? instanceId.replace(/^(.+-[0-9a-f]{8})-[0-9a-f]{12}$/, '$1') : undefined;

type ClientCall = (this: unknown, ...args: unknown[]) => Promise<unknown>;

// The SDK's client is made for every call anew: its class is the one place where a call to the engine can be met.
const { DurableClient } = createRequire(import.meta.url)(
  'durable-functions/lib/src/durableClient/DurableClient.js',
) as { DurableClient: { prototype: Record<string, ClientCall> } };
for (const method of ENGINE_CALLS) {
  const original = DurableClient.prototype[method] as ClientCall;
  DurableClient.prototype[method] = function (...args: unknown[]) {
    const id = method === 'startNew' ? (args[1] as { instanceId?: string } | undefined)?.instanceId : args[0];
    return lab.around({ part: 'engine', method, runId: runOf(id) }, () => original.apply(this, args));
  };
}

function factsOf(name: string, type: string, input: unknown): Delivered {
  const given = (input ?? {}) as { runId?: string; nodeId?: string; item?: number; instanceId?: string };
  const base = { functionName: name, nodeId: given.nodeId ?? null, item: given.item ?? null };
  if (type === 'activityTrigger') return { ...base, kind: 'activity', runId: given.runId };
  if (type === 'orchestrationTrigger') return { ...base, kind: 'orchestrator', runId: runOf(given.instanceId) };
  return { ...base, kind: 'other', runId: undefined };
}

app.hook.preInvocation((context) => {
  const { functionName, options } = context.invocationContext;
  const original = context.functionHandler;
  context.functionHandler = (input: unknown, invocation) => {
    const facts = factsOf(functionName, options.trigger.type, input);
    // A second delivery gets its own copy, as a second message would be.
    const copy = (): unknown => (facts.kind === 'other' ? input : structuredClone(input));
    return lab.deliver(facts, async () => {
      // The SDK keeps what it found in an earlier call with the same context.
      if (facts.kind === 'orchestrator') (invocation as { df?: unknown }).df = undefined;
      return (original as (input: unknown, context: unknown) => unknown)(copy(), invocation);
    });
  };
});
