import * as df from 'durable-functions';
import { durableVerbs } from '../orchestration/durableBinding.ts';
import { ORCHESTRATOR } from '../orchestration/names.ts';
import { runOrchestration } from '../orchestration/run.ts';

df.app.orchestration(ORCHESTRATOR, function* (context) {
  const { df: durable } = context;
  // The binding yields the SDK's tasks; the verbs' types do not know the SDK.
  return yield* runOrchestration(
    durableVerbs(context),
    durable.getInput(),
    durable.instanceId,
  ) as ReturnType<df.OrchestrationHandler>;
});
