import type { ReportCheck } from '../verification/report.ts';
import { ToolError } from '../plan/errors.ts';
import type { Services } from './services.ts';

const PAGE = 500;
/** Failing checks named one by one; the rest is counted. */
const MOST_NAMED = 50;

/**
 * Checks of the items of one `forEach` node: those that failed by name, the others as counts. Artifacts of items whose
 * values do not stand in the ledger are read back with their checksums.
 */
export async function itemChecks(services: Services, runId: string, nodeId: string): Promise<readonly ReportCheck[]> {
  const named: ReportCheck[] = [];
  let made = 0;
  let failed = 0;
  for (let afterItem = -1; ;) {
    const page = { states: ['completed', 'adopted'] as const, afterItem, limit: PAGE };
    const rows = await services.ledger.itemOperations(runId, nodeId, page);
    for (const row of rows) {
      made += row.checks.length;
      for (const { name, detail, passed } of row.checks) {
        if (passed) continue;
        failed += 1;
        if (named.length < MOST_NAMED) named.push({ nodeId: `${nodeId}[${String(row.item)}]`, name, passed, detail });
      }
    }
    afterItem = rows.at(-1)?.item ?? afterItem;
    if (rows.length < PAGE) break;
  }
  const counted = (name: string, total: number, bad: number): ReportCheck[] =>
    total === 0
      ? []
      : [{ nodeId, name, passed: bad === 0, detail: `${String(total - bad)} of ${String(total)} passed` }];
  const back = await readBack(services, runId, nodeId);
  return [
    ...named,
    ...counted('checks of items', made, failed),
    ...back.failing,
    ...counted('artifacts of items read back', back.total, back.bad),
  ];
}

async function readBack(
  services: Services,
  runId: string,
  nodeId: string,
): Promise<{
  readonly failing: readonly ReportCheck[];
  readonly total: number;
  readonly bad: number;
}> {
  const failing: ReportCheck[] = [];
  let total = 0;
  let bad = 0;
  for (const row of await services.ledger.itemArtifacts(runId, nodeId)) {
    // A value in its row was compared with its checksum when it was gathered.
    if (row.value !== null) continue;
    total += 1;
    try {
      await services.store.read(row.blobName, { sha256: row.sha256, bytes: row.bytes });
    } catch (error) {
      if (!(error instanceof ToolError) || error.class === 'transient') throw error;
      bad += 1;
      const name = `artifact:${row.output}`;
      if (failing.length < MOST_NAMED)
        failing.push({
          nodeId: `${nodeId}[${String(row.item)}]`,
          name,
          passed: false,
          detail: `${error.code}: ${error.message}`,
        });
    }
  }
  return { failing, total, bad };
}
