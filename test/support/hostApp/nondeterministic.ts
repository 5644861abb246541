/** Orchestrators that give another answer at each run over the same history, in places that no history shows. */
import * as df from 'durable-functions';

let runs = 0;

df.app.orchestration('inputFromCounter', function* (context) {
  runs += 1;
  return yield context.df.callActivity('echo', runs);
});

df.app.orchestration('inputFromChance', function* (context) {
  return yield context.df.callActivity('echo', Math.random());
});

df.app.orchestration('statusFromCounter', function* (context) {
  runs += 1;
  context.df.setCustomStatus({ runs });
  yield context.df.callActivity('echo', 1);
});

// eslint-disable-next-line require-yield -- ends at once
df.app.orchestration('resultFromCounter', function* () {
  runs += 1;
  return runs;
});

// eslint-disable-next-line require-yield -- fails at once
df.app.orchestration('errorFromCounter', function* () {
  runs += 1;
  throw new Error(`run ${runs}`);
});
