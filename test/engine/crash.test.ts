/** kill -9 in the middle of the work, on both hosts; Azurite stays. */
import { afterEach, describe, expect, it } from 'vitest';
import { startCrashApp, type CrashApp } from '../support/crashApp/start.ts';
import { caseOn } from '../support/hosts/cases.ts';
import { HOST_NAMES } from '../support/hosts/types.ts';
import { engineMissing } from './dotnet.ts';

const missing = engineMissing();
if (missing !== undefined) console.warn(`engine tests skipped: ${missing}`);

let app: CrashApp | undefined;
afterEach(async () => {
  app?.go();
  await app?.stop();
  app = undefined;
});

describe.each(HOST_NAMES)('%s', (name) => {
  const skip = name === 'engine' && missing !== undefined;

  caseOn(
    name,
    'runner killed during an activity: the message is executed again, nothing fails',
    async () => {
      app = await startCrashApp(name);
      await app.host.client.start('callSlow', 'a', null);
      await app.seen('begin a');
      await app.host.crashRunner();
      app.go();
      await app.host.restart();
      expect(await app.host.waitForEnd('a')).toMatchObject({ runtimeStatus: 'Completed', output: 'done a' });
      expect(app.events()).toEqual(['begin a', 'begin a', 'end a']);
      const { historyEvents } = await app.host.client.status('a', { showHistory: true });
      expect(JSON.stringify(historyEvents)).not.toContain('TaskFailed');
    },
    { skip },
  );

  caseOn(
    name,
    'engine killed during an activity: the message comes back',
    async () => {
      app = await startCrashApp(name);
      await app.host.client.start('callSlow', 'b', null);
      await app.seen('begin b');
      await app.host.crashEngine();
      app.go();
      await app.host.restart();
      expect(await app.host.waitForEnd('b', 120_000)).toMatchObject({ runtimeStatus: 'Completed', output: 'done b' });
      // Not exactly two: the real engine sends an activity before it has written the history, and a host killed between
      // the two schedules it once more.
      expect(app.events().filter((line) => line === 'begin b').length).toBeGreaterThanOrEqual(2);
    },
    { skip },
  );

  caseOn(
    name,
    'everything killed during an activity: the instance goes on, under the same links',
    async () => {
      app = await startCrashApp(name);
      const begun = await fetch(`${app.host.baseUrl}/app/begin/callSlow/c`, { method: 'POST' });
      const { statusQueryGetUri } = (await begun.json()) as { statusQueryGetUri: string };
      await app.seen('begin c');
      await app.host.crash();
      app.go();
      await app.host.restart();
      await app.host.waitForEnd('c', 120_000);
      const status = await fetch(statusQueryGetUri);
      expect(await status.json()).toMatchObject({ runtimeStatus: 'Completed', output: 'done c' });
    },
    { skip },
  );

  caseOn(
    name,
    'process killed by its own activity, then by its own orchestrator: both go on',
    async () => {
      app = await startCrashApp(name);
      for (const orchestrator of ['callDeadly', 'deadlyOrchestrator']) {
        await app.host.client.start(orchestrator, orchestrator, null);
        await app.host.runnerGone();
        await app.host.restart();
        expect(await app.host.waitForEnd(orchestrator)).toMatchObject({ runtimeStatus: 'Completed' });
      }
      expect((await app.host.client.status('callDeadly')).output).toBe('survived callDeadly');
    },
    { skip },
  );

  caseOn(
    name,
    'settings of host.json hold, links are ours, a timer runs by hand, a function key is asked for',
    async () => {
      app = await startCrashApp(name, { enableAuth: true });
      const { host, hub } = app;
      await host.client.start('callSix', 'six', null);
      expect((await host.waitForEnd('six')).output).toHaveLength(6);
      let open = 0;
      const most = app.events().map((line) => (open += line.startsWith('begin') ? 1 : -1));
      expect(Math.max(...most)).toBe(2);

      const { text } = await host.client.send('POST', 'orchestrators/callSlow/links', null);
      const { statusQueryGetUri } = JSON.parse(text) as { statusQueryGetUri: string };
      expect(statusQueryGetUri).toContain(`taskHub=${hub}&`);
      expect(statusQueryGetUri.startsWith(`${host.baseUrl}/`)).toBe(true);

      await host.runTimer('onceAYear');
      await app.seen('timer false');
      await expect(host.runTimer('quick')).rejects.toThrow('404');
      expect((await fetch(`${host.baseUrl}/app/locked`)).status).toBe(401);
    },
    { skip },
  );
});

describe.skipIf(missing !== undefined)('workerLoss fail: what Azure does for Node when its worker alone ends', () => {
  it('the activity ends in TaskFailed, an orchestrator in Failed', async () => {
    app = await startCrashApp('engine', { workerLoss: 'fail' });
    await app.host.client.start('callDeadly', 'd', null);
    await app.host.runnerGone();
    await app.host.restart();
    const activity = await app.host.waitForEnd('d');
    expect(activity.runtimeStatus).toBe('Completed');
    expect(activity.output).toMatch(/^failed: Activity function 'deadly' failed: node exited with code 137 \(0x89\)/);

    await app.host.client.start('deadlyOrchestrator', 'e', null);
    await app.host.runnerGone();
    await app.host.restart();
    const orchestrator = await app.host.waitForEnd('e');
    expect(orchestrator.runtimeStatus).toBe('Failed');
    // The replay that was cut off has repeated none of its actions: the core takes that for changed code.
    expect(orchestrator.output).toMatch(/^Non-Deterministic workflow detected/);
  });
});
