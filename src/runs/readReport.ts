import type { Report } from '../verification/report.ts';
import { composeReport } from './composeReport.ts';
import { ownProjection } from './read.ts';
import type { Caller } from './access.ts';
import type { Services } from './services.ts';
import { SYSTEM_NODES, systemArtifact } from './systemArtifact.ts';

/** `GET /runs/{id}/report`: the verified report where there is one, else what can be said so far; the status is the run's. */
export async function readReport(services: Services, caller: Caller, runId: string): Promise<Record<string, unknown>> {
  const projection = await ownProjection(services, caller, runId);
  const stored = await systemArtifact(services, projection.run, SYSTEM_NODES.verify, 'report').read();
  const report =
    stored === undefined
      ? (await composeReport(services, projection, projection.run.status)).report
      : (JSON.parse(stored.text) as Report);
  return { ...report, status: projection.run.status, verified: stored !== undefined, error: projection.run.error };
}
