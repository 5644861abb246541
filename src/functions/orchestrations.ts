import * as df from 'durable-functions';
import { durableVerbs } from '../orchestration/durableBinding.ts';
import { laneOrchestration } from '../orchestration/lane.ts';
import { CHILD, ORCHESTRATOR } from '../orchestration/names.ts';
import { runOrchestration } from '../orchestration/run.ts';
import { Again, type Step, type Verbs } from '../orchestration/verbs.ts';
import { jobOrchestration, sleepOrchestration } from '../orchestration/waitingChild.ts';

function register(name: string, body: (verbs: Verbs, input: unknown, instanceId: string) => Step<unknown>): void {
  df.app.orchestration(name, function* (context) {
    const { df: durable } = context;
    // The binding yields the SDK's tasks; the verbs' types do not know the SDK.
    const steps = body(durableVerbs(context), durable.getInput(), durable.instanceId);
    const end: unknown = yield* steps as ReturnType<df.OrchestrationHandler>;
    if (!(end instanceof Again)) return end;
    durable.continueAsNew(end.input);
    return undefined;
  });
}

register(ORCHESTRATOR, runOrchestration);
register(CHILD.lane, laneOrchestration);
register(CHILD.sleep, sleepOrchestration);
register(CHILD.job, jobOrchestration);
