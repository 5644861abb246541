/** The child that follows a remote job, round by round. */
import { jobStep } from '../../../src/activities/jobStep.ts';
import type { ChildStepResult } from '../../../src/orchestration/messages.ts';
import type { ActivityRun } from './activityRun.ts';
import type { TestServices } from './testServices.ts';

export type JobRound = () => Promise<ChildStepResult>;

/** Starts an attempt of the node `j`; answers its follower's rounds. */
export async function followerOf(services: TestServices, run: ActivityRun, attempt = 1): Promise<JobRound> {
  const result = await run.node('j', { attempt });
  if (result.state !== 'job') throw new Error(`not a job: ${JSON.stringify(result)}`);
  const { instanceId } = result;
  return () => jobStep(services, { version: 1, runId: run.runId, instanceId });
}

/** Rounds until the child ends; the clock follows what it asks for. */
export async function toEnd(
  services: TestServices,
  step: JobRound,
): Promise<Extract<ChildStepResult, { state: 'end' }>> {
  for (let round = 0; round < 60; round += 1) {
    const result = await step();
    if (result.state === 'end') return result;
    services.clock = Math.max(services.clock, result.until);
  }
  throw new Error('the job does not end');
}
