/**
 * A refusal that is written while the caller is still sending. Once in 300 requests it used to arrive as a connection
 * reset: the host stopped reading, and the caller never saw the code. Every kind of early refusal, often enough to notice.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/system/api.ts';
import { startProcess, temporaryState, type RunningSystem } from '../support/system/process.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startProcess({ state: temporaryState() });
});
afterAll(() => system.stop());

const bytes = { 'content-type': 'application/octet-stream' };
const zip = new Uint8Array(6_000_000);
zip.set([0x50, 0x4b, 3, 4]);
const big = JSON.stringify({ goal: 'x'.repeat(600_000) });

describe('early refusals', () => {
  it.each([
    ['a JSON body that is too large', 'POST', '/runs', big, {}, 413, 'BODY_TOO_LARGE', 120],
    [
      'another content type',
      'POST',
      '/runs',
      'x'.repeat(3_000_000),
      { 'content-type': 'text/plain' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      60,
    ],
    ['a bad Idempotency-Key', 'POST', '/runs', big, { 'idempotency-key': 'a b' }, 400, 'INVALID_IDEMPOTENCY_KEY', 60],
    ['an upload of a type that no tool reads', 'POST', '/uploads?name=x.zip', zip, bytes, 422, 'UPLOAD_INVALID', 60],
    [
      'an upload that is too large by its header',
      'POST',
      '/uploads?name=x.csv',
      new Uint8Array(100 * 1024 * 1024 + 1).fill(0x31),
      bytes,
      413,
      'BODY_TOO_LARGE',
      3,
    ],
  ] as const)(
    '%s reaches a caller who is still sending',
    async (_what, method, path, body, headers, status, code, times) => {
      const answers = new Map<string, number>();
      for (let i = 0; i < times; i += 1) {
        const answer = await call(system.baseUrl, method, path, body, { ...headers }).then(
          (one) => `${String(one.status)} ${String(one.body.code)}`,
          (error: unknown) => String((error as { cause?: { code?: string } }).cause?.code ?? error),
        );
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
      expect(Object.fromEntries(answers)).toEqual({ [`${String(status)} ${code}`]: times });
    },
  );
});
