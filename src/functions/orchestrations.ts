import * as df from 'durable-functions';
import { durableVerbs } from '../orchestration/durableBinding.ts';
import { ORCHESTRATOR } from '../orchestration/names.ts';
import { runOrchestration } from '../orchestration/run.ts';

df.app.orchestration(ORCHESTRATOR, function* (context) {
  return yield* runOrchestration(durableVerbs(context), context.df.getInput(), context.df.instanceId);
});
