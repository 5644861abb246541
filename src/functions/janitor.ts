import { app, type InvocationContext, type Timer } from '@azure/functions';
import * as df from 'durable-functions';
import { finish } from '../activities/finish.ts';
import { janitorSchedule } from '../config/index.ts';
import { services } from '../runs/compose.ts';
import { janitorPass } from '../runs/janitor.ts';
import { operatorEngine } from '../runs/operatorEngine.ts';

app.timer('janitor', {
  schedule: janitorSchedule(),
  extraInputs: [df.input.durableClient()],
  handler: async (_timer: Timer, context: InvocationContext) => {
    const built = await services();
    const engine = operatorEngine(df.getClient(context));
    const report = await janitorPass({
      services: built,
      engine,
      finish: (runId, error) => finish(built, { version: 1, runId, by: 'janitor', decisions: [], error }, engine),
      retentionDays: built.settings.retentionDays,
    });
    built.log.janitorPassed({ ...report });
  },
});
