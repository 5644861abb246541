import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../../src/telemetry/events.ts';
import { createLogger, type LoggerOptions } from '../../../src/telemetry/log.ts';

function capture(options: LoggerOptions = {}) {
  const lines: [string, string][] = [];
  const to = (level: string) => (line: string) => void lines.push([level, line]);
  const sink = { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
  return { lines, log: createLogger(sink, options), last: () => JSON.parse(lines.at(-1)?.[1] ?? 'null') as unknown };
}

describe('logger', () => {
  it('writes one JSON line with number, name and fields to the sink of the level', () => {
    const { log, lines, last } = capture({ fields: { runId: 'run1' } });
    log.nodeFailed({ nodeId: 'rain', attempt: 2 });
    expect(lines[0]?.[0]).toBe('warn');
    expect(last()).toEqual({ event: 3002, name: 'nodeFailed', runId: 'run1', nodeId: 'rain', attempt: 2 });
  });

  it('numbers are unique, and names too', () => {
    const ids = Object.values(EVENTS).map((event) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('O-40 is silent while the orchestrator replays, so that each message appears once', () => {
    let replaying = true;
    const { log, lines } = capture({ isReplaying: () => replaying });
    log.runMoved();
    log.with({ nodeId: 'x' }).nodeFailed();
    expect(lines).toEqual([]);
    replaying = false;
    log.runMoved();
    expect(lines).toHaveLength(1);
  });

  it('drops what is below its level', () => {
    const { log, lines } = capture({ level: 'warn' });
    log.runAccepted();
    log.nodeStarted();
    log.nodeFailed();
    expect(lines).toHaveLength(1);
  });

  it('O-40 no secret passes: by its name, or inside a text', () => {
    const { log, lines } = capture();
    log.unexpected({
      accessToken: 'canary-1',
      Authorization: 'canary-2',
      storageConnectionString: 'canary-3',
      url: 'https://x.test/api?code=canary-4&sig=canary-5&name=rain',
      message: 'sent Bearer canary-6',
      accountKey: 'canary-7',
    });
    expect(lines[0]?.[1]).not.toContain('canary');
    expect(lines[0]?.[1]).toContain('name=rain');
  });

  it('a field cannot start a line of its own, forge the event, or fill the disk', () => {
    const { log, lines, last } = capture();
    log.unexpected({ message: 'x\n{"event":1}\u001b[2J', event: 1, name: 'forged', big: 'y'.repeat(1_000_000) });
    expect(lines[0]?.[1]).not.toContain('\\n');
    expect(lines[0]?.[1]).not.toContain('\\u001b');
    expect(last()).toMatchObject({ event: 9000, name: 'unexpected', event_: 1, name_: 'forged' });
    expect(lines[0]?.[1].length).toBeLessThan(3_000);
  });

  it('fields of with() add up and do not leak back', () => {
    const { log, last } = capture({ fields: { runId: 'run1' } });
    log.with({ nodeId: 'a' }).with({ attempt: 1 }).nodeFailed();
    expect(last()).toMatchObject({ runId: 'run1', nodeId: 'a', attempt: 1 });
    log.nodeFailed();
    expect(last()).toEqual({ event: 3002, name: 'nodeFailed', runId: 'run1' });
  });
});
