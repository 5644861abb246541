/** Facts of an instance that stand in the orchestration trigger's payload. */
export interface PayloadFacts {
  readonly instanceId: string;
  readonly parentInstanceId: string | null;
  /** JSON text of the input, or null. */
  readonly input: string | null;
  /** True in every episode but the first. */
  readonly isReplaying: boolean;
}

/**
 * The orchestration trigger's JSON text. History events go in as the texts they are stored in: re-serialising could
 * change numbers or timestamps (Q2). Spelling of the last key as on the wire.
 */
export function triggerPayload(facts: PayloadFacts, history: readonly string[]): string {
  const tail = {
    instanceId: facts.instanceId,
    isReplaying: facts.isReplaying,
    parentInstanceId: facts.parentInstanceId,
    sourceInstanceId: null,
    upperSchemaVersion: 1,
    upperSchemaVersionNew: 3,
    longRunningTimerIntervalDuration: '3.00:00:00',
    maximumShortTimerDuration: '6.00:00:00',
    defaultHttpAsyncRequestSleepTimeMillseconds: 30_000,
  };
  return `{"history":[${history.join(',')}],"input":${inputText(facts.input)},${JSON.stringify(tail).slice(1)}`;
}

/** Input that is not JSON (a raw client may have stored any text) travels as a string. */
function inputText(input: string | null): string {
  if (input === null || input === '') return 'null';
  try {
    JSON.parse(input);
    return input;
  } catch {
    return JSON.stringify(input);
  }
}
