import * as df from 'durable-functions';
import { durably, type Body } from '../orchestration/durableBinding.ts';
import { laneOrchestration } from '../orchestration/lane.ts';
import { CHILD, ORCHESTRATOR } from '../orchestration/names.ts';
import { runOrchestration } from '../orchestration/run.ts';
import { jobOrchestration, sleepOrchestration } from '../orchestration/waitingChild.ts';

function register(name: string, body: Body): void {
  df.app.orchestration(name, function* (context) {
    // The binding yields the SDK's tasks; the verbs' types do not know the SDK.
    return yield* durably(context, body) as ReturnType<df.OrchestrationHandler>;
  });
}

register(ORCHESTRATOR, runOrchestration);
register(CHILD.lane, laneOrchestration);
register(CHILD.sleep, sleepOrchestration);
register(CHILD.job, jobOrchestration);
