import type { z } from 'zod';
import { StateInvalid } from '../ledger/port.ts';
import { verifyInput, type verifyResult } from '../orchestration/messages.ts';
import { composeReport } from '../runs/composeReport.ts';
import type { Services } from '../runs/services.ts';
import { SYSTEM_NODES, systemArtifact } from '../runs/systemArtifact.ts';
import { parseInput } from './parse.ts';

/**
 * Verifies the results and stores the report: every check that a tool made, every output read back with its checksum,
 * the exposure counted again from the features. Idempotent: the report stored first stands.
 */
export async function verify(services: Services, input: unknown): Promise<z.infer<typeof verifyResult>> {
  const { runId, by, decisions } = parseInput(verifyInput, input, 'verify');
  const { ledger } = services;
  await ledger.recordDecisions(runId, by, decisions, services.now());
  const before = await ledger.project(runId);
  if (before === undefined) throw new StateInvalid(`run ${runId} is not in the ledger`);
  const { run } = before;
  await ledger.moveRun(runId, ['running'], 'verifying', { now: services.now() });
  if (run.control === 'cancel') return { version: 1, passed: false };

  const { report, labels } = await composeReport(services, before, 'verifying');
  await systemArtifact(services, run, SYSTEM_NODES.verify, 'report', labels).write(JSON.stringify(report));
  return { version: 1, passed: report.checks.every((check) => check.passed) };
}
