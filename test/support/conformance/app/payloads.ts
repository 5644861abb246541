/**
 * Keeps the last payload that each orchestration instance was given, as the SDK was given it: one file an instance in
 * the folder named by CONFORMANCE_PAYLOADS.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from '@azure/functions';
import { payloadFile } from '../payloadFile.ts';

interface Payload {
  readonly instanceId: string;
  readonly history: readonly unknown[];
}

function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && 'history' in value && 'upperSchemaVersion' in value;
}

app.hook.preInvocation(({ inputs }) => {
  const folder = process.env['CONFORMANCE_PAYLOADS'];
  const payload: unknown = inputs[0];
  if (folder !== undefined && isPayload(payload))
    writeFileSync(join(folder, payloadFile(payload.instanceId)), JSON.stringify(payload));
});
