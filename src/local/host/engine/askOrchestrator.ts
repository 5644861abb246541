import { randomUUID } from 'node:crypto';
import type { InvocationResult, LoadedApp, RegisteredFunction } from '../core/loadApp.ts';
import { parseAnswer, type Answer, type Broken } from '../durable/answer.ts';
import { triggerPayload } from '../durable/payload.ts';
import { readSdkNumbers, type SdkNumbers } from '../durable/sdkNumbers.ts';
import type { InstanceRecord } from '../store/instanceTable.ts';
import { hideCredentials } from './credentialText.ts';
import type { FunctionIndex } from './functionIndex.ts';
import type { OnceLog } from './onceLog.ts';

export interface AskScope {
  readonly app: LoadedApp;
  readonly functions: FunctionIndex;
  readonly log: OnceLog;
  readonly strict: boolean;
  /** Asks the code twice and compares. */
  readonly repeatEpisodes: boolean;
}

export interface Asked {
  readonly answer: Answer | Broken;
  /** What the SDK numbered, for the drift detector. */
  readonly sdk: SdkNumbers | undefined;
}

/** A payload of more characters than this is named in the log, once a million (Q19). */
const LARGE_PAYLOAD = 1_000_000;

const BLIND =
  'the inside of durable-functions is not as in version 3.5, so the drift detector (Q9, Q10, Q14, Q15) cannot see its numbers';

const unknownFunction = (functions: FunctionIndex, name: string): string =>
  `The function '${name}' doesn't exist, is disabled, or is not an orchestrator function. Additional info: The following are the known orchestrator functions: ${functions.orchestratorNames.map((known) => `'${known}'`).join(', ')}.`;

/** The part of an invocation's result that must be the same when the same history is replayed; stacks may differ. */
const comparable = (result: InvocationResult): string =>
  result.ok ? (result.returnValue?.json ?? result.returnValue?.string ?? '') : result.message;

/** What the two answers have from where they part on. */
function difference(first: string, second: string): string {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  const from = Math.max(0, at - 20);
  return `"${first.slice(from, at + 60)}" and "${second.slice(from, at + 60)}"`;
}

async function invokeOnce(
  scope: AskScope,
  fn: RegisteredFunction,
  instanceId: string,
  payload: string,
): Promise<{ result: InvocationResult; sdk: SdkNumbers | undefined }> {
  let sdk: SdkNumbers | undefined;
  const result = await scope.app.invoke({
    invocationId: randomUUID(),
    functionName: fn.name,
    inputs: [{ name: fn.triggerName, data: { string: payload } }],
    triggerMetadata: { instanceId: { string: instanceId } },
    observe: (context) => (sdk = readSdkNumbers(context)),
  });
  return { result, sdk };
}

/**
 * Runs the orchestrator's code over a history and reads what it answers.
 * @param history event texts, as stored; @param isReplaying true in every episode but the first
 */
export async function askOrchestrator(
  scope: AskScope,
  record: InstanceRecord,
  history: readonly string[],
  isReplaying: boolean,
): Promise<Asked> {
  const { instanceId, name } = record;
  const fn = scope.functions.orchestrator(name);
  if (fn === undefined) return { answer: { broken: unknownFunction(scope.functions, name) }, sdk: undefined };
  const parentInstanceId = record.parent?.OrchestrationInstance.InstanceId ?? null;
  const payload = triggerPayload({ instanceId, parentInstanceId, input: record.input, isReplaying }, history);
  const millions = Math.floor(payload.length / LARGE_PAYLOAD);
  if (millions > 0) {
    const text = `Q19: input and history have more than ${millions} million characters, and every episode sends them again`;
    scope.log.say('warning', instanceId, text, name);
  }
  const { result, sdk } = await invokeOnce(scope, fn, instanceId, payload);
  if (scope.repeatEpisodes) {
    const again = comparable((await invokeOnce(scope, fn, instanceId, payload)).result);
    const first = comparable(result);
    if (again !== first)
      return {
        answer: { broken: `Non-deterministic: the same history gave two answers, ${difference(first, again)}` },
        sdk,
      };
  }
  const answer = parseAnswer(
    result.ok
      ? { ok: true, text: result.returnValue?.json ?? result.returnValue?.string }
      : { ...result, message: hideCredentials(result.message) },
  );
  if (sdk !== undefined || 'broken' in answer) return { answer, sdk };
  if (scope.strict) return { answer: { broken: BLIND }, sdk };
  scope.log.say('error', instanceId, BLIND, name);
  return { answer, sdk };
}
