/** Orchestrators that break the rules: they do something else when they run again, or throw what has no text. */
import * as df from 'durable-functions';
import type { OrchestrationContext, Task } from 'durable-functions';

const episodes = new Map<string, number>();

const STEPS = new Map<string, (context: OrchestrationContext) => Task>([
  ['activity', (context) => context.df.callActivity('echo', 1)],
  ['otherActivity', (context) => context.df.callActivity('describe', 1)],
  ['child', (context) => context.df.callSubOrchestrator('echoInput', 1, `${context.df.instanceId}-c`)],
  ['otherChild', (context) => context.df.callSubOrchestrator('returns', 1, `${context.df.instanceId}-c`)],
  ['timer', (context) => context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + 200))],
  ['event', (context) => context.df.waitForExternalEvent('never')],
]);

/** Takes the first step in its first episode and the second one in all others. */
df.app.orchestration('changesItsMind', function* (context) {
  const [first = '', second = ''] = context.df.getInput<string[]>();
  const episode = (episodes.get(context.df.instanceId) ?? 0) + 1;
  episodes.set(context.df.instanceId, episode);
  context.df.setCustomStatus('deciding');
  const step = STEPS.get(episode === 1 ? first : second);
  if (step === undefined) return 'nothing';
  return (yield step(context)) as unknown;
});

// eslint-disable-next-line require-yield -- throws in its first episode
df.app.orchestration('throwsAtOnce', function* (context) {
  context.df.setCustomStatus('about to throw');
  throw new Error(context.df.getInput<string>());
});
