/** Each episode run twice over the same history: what no history shows is found where it happens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost, stateFolder } from '../../support/hostApp/start.ts';

const state = stateFolder();
let host: Awaited<ReturnType<typeof startTestHost>>;
beforeAll(async () => {
  host = await startTestHost(state.path, { repeatEpisodes: true });
});
afterAll(async () => {
  await host.stop();
  state.remove();
});

async function run(name: string, input: unknown = null): Promise<string> {
  const record = await host.waitFor(host.client.start(name, { input: JSON.stringify(input) }));
  return `${record.status} ${record.output ?? ''}`;
}

describe('with every episode run twice', () => {
  it.each(['inputFromCounter', 'inputFromChance', 'statusFromCounter', 'resultFromCounter', 'errorFromCounter'])(
    '%s is refused in its first episode, before an activity ran',
    async (name) => {
      expect(await run(name)).toMatch(
        new RegExp(
          `^Failed Orchestrator function '${name}' failed: Non-deterministic: the same history gave two answers`,
        ),
      );
    },
  );

  it('the refusal shows where the answers part', async () => {
    expect(await run('resultFromCounter')).toMatch(/"[^"]*"?output"?:\d+.* and ".*output"?:\d+/);
  });

  it('orchestrators that are deterministic give what they gave', async () => {
    expect(await run('chain')).toBe('Completed 3');
    expect(await run('parallel', 20)).toBe('Completed 190');
    expect(await run('parent')).toBe('Completed 9');
    expect(await run('escape')).toMatch(/^Failed .*nobody catches/);
  });
});

describe('without it', () => {
  it('an input that changes is not seen: the run succeeds with what was scheduled', async () => {
    const other = stateFolder();
    const once = await startTestHost(other.path);
    const record = await once.waitFor(once.client.start('inputFromChance', { input: null }));
    expect(record.status).toBe('Completed');
    await once.stop();
    other.remove();
  });
});
