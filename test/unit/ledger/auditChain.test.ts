import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalText, chainHash } from '../../../src/ledger/auditChain.ts';
import { decodeCursor, encodeCursor } from '../../../src/ledger/cursor.ts';
import { CursorInvalid, StateInvalid, type AuditEvent } from '../../../src/ledger/port.ts';

const event: AuditEvent = {
  seq: 1,
  at: 1_796_000_000_123,
  runId: 'run1',
  type: 'run.accepted',
  nodeId: null,
  actor: 'alice',
  data: { b: 2, a: ['é', 1.0] },
};

describe('links of the audit chain', () => {
  it('are what the documentation says, so that anybody can verify them without us', () => {
    const text =
      '{"actor":"alice","at":1796000000123,"data":{"a":["é",1],"b":2},"id":7,"nodeId":null,"runId":"run1","seq":1,"type":"run.accepted"}';
    const expected = createHash('sha256').update(`audit.v1:prev:${text}`).digest('hex');
    expect(chainHash('prev', 7, event)).toBe(expected);
  });

  it('change with everything they cover', () => {
    const links = [
      chainHash('', 1, event),
      chainHash('x', 1, event),
      chainHash('', 2, event),
      chainHash('', 1, { ...event, seq: 2 }),
      chainHash('', 1, { ...event, at: event.at + 1 }),
      chainHash('', 1, { ...event, runId: 'run2' }),
      chainHash('', 1, { ...event, type: 'run.accepte' }),
      chainHash('', 1, { ...event, nodeId: 'null' }),
      chainHash('', 1, { ...event, actor: 'bob' }),
      chainHash('', 1, { ...event, data: { b: 2, a: ['é', 1, null] } }),
    ];
    expect(new Set(links).size).toBe(links.length);
  });

  it('do not depend on the order of members', () => {
    const { data, ...rest } = event;
    expect(chainHash('', 1, { data: { a: data['a'], b: data['b'] }, ...rest })).toBe(chainHash('', 1, event));
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], ['\udc00'], [1n], [undefined]])('refuse %s', (value) => {
    expect(() => canonicalText(value)).toThrow(StateInvalid);
  });
});

describe('cursors', () => {
  it('come back as they were', () => {
    expect(decodeCursor(encodeCursor(event.at, 'run-1'))).toEqual({ createdAt: event.at, runId: 'run-1' });
  });

  it.each(['[1]', '[1,""]', '[-1,"a"]', '["1","a"]', '[1,"a",2]', '{}', 'null', `[1,"${'a'.repeat(65)}"]`, '1e999'])(
    'refuse %s',
    (text) => {
      expect(() => decodeCursor(Buffer.from(text).toString('base64url'))).toThrow(CursorInvalid);
    },
  );
});
