import type { InstanceRecord } from '../store/instanceTable.ts';

/** Texts are shown as the JSON they hold; what is not JSON is shown as it stands. */
export function shown(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Times cut to seconds. */
const seconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The status object of the management API; all keys present, null when empty. */
export function statusBody(
  record: InstanceRecord,
  options: { showInput: boolean; history?: readonly unknown[] | undefined },
): Record<string, unknown> {
  return {
    name: record.name,
    instanceId: record.instanceId,
    ...(record.parent === null ? {} : { parentInstanceId: record.parent.OrchestrationInstance.InstanceId }),
    runtimeStatus: record.status,
    input: options.showInput ? shown(record.input) : null,
    customStatus: shown(record.customStatus),
    output: shown(record.output),
    createdTime: seconds(record.createdMs),
    lastUpdatedTime: seconds(record.updatedMs),
    ...(options.history === undefined ? {} : { historyEvents: options.history }),
  };
}
