/** The SDK's own Orchestrator class, driven without a host: payload text in, answer out. */
import { createRequire } from 'node:module';
import type { OrchestrationContext } from 'durable-functions';
import { parseAnswer, type Answer, type Broken } from '../../../src/local/host/durable/answer.ts';
import { readSdkNumbers, type SdkNumbers } from '../../../src/local/host/durable/sdkNumbers.ts';

const require = createRequire(import.meta.url);
interface SdkOrchestrator {
  handle(trigger: unknown, context: unknown): Promise<unknown>;
}
// Internal class of durable-functions 3.5.0, hence the exact pin.
const { Orchestrator } = require('durable-functions/lib/src/orchestrations/Orchestrator.js') as {
  Orchestrator: new (fn: Body) => SdkOrchestrator;
};

export type Body = (context: OrchestrationContext) => Generator<unknown, unknown, unknown>;

/** Runs one episode of `body` over the trigger payload, with the same JSON steps as on the wire. */
export async function askSdk(
  body: Body,
  payload: string,
): Promise<{ readonly answer: Answer | Broken; readonly sdk: SdkNumbers | undefined }> {
  const context = {};
  try {
    const state = await new Orchestrator(body).handle(JSON.parse(payload), context);
    return { answer: parseAnswer({ ok: true, text: JSON.stringify(state) }), sdk: readSdkNumbers(context) };
  } catch (error) {
    const answer = parseAnswer({ ok: false, message: (error as Error).message, stack: '' });
    return { answer, sdk: readSdkNumbers(context) };
  }
}
