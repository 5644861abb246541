import { describe, expect, it } from 'vitest';
import { OnceLog } from '../../../src/local/host/engine/onceLog.ts';

describe('the log of quirks', () => {
  const make = (limit?: number): { log: OnceLog; lines: string[] } => {
    const lines: string[] = [];
    return { log: new OnceLog((level, text, fn) => lines.push(`${level} ${fn ?? ''} ${text}`), limit), lines };
  };

  it('says a thing of an instance once, and of another instance again', () => {
    const { log, lines } = make();
    for (const id of ['a', 'b', 'a']) log.say('error', id, 'Q9', 'f');
    log.say('error', 'a', 'Q10', 'f');
    expect(lines).toEqual(['error f a: Q9', 'error f b: Q9', 'error f a: Q10']);
  });

  it('says it again of an instance that began anew', () => {
    const { log, lines } = make();
    log.say('warning', 'a', 'x', 'f');
    log.forget('a');
    log.say('warning', 'a', 'x', 'f');
    expect(lines).toHaveLength(2);
  });

  it('forgets the oldest instance above its limit, so that it cannot grow', () => {
    const { log, lines } = make(2);
    for (const id of ['a', 'b', 'c', 'c', 'a']) log.say('error', id, 'x', 'f');
    expect(lines.map((line) => line.slice(8, 9))).toEqual(['a', 'b', 'c', 'a']);
  });
});
