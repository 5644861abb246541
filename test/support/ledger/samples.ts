/** Rows for ledger tests: valid by default, each test states only what it is about. */
import type {
  ArtifactRow,
  DecisionRow,
  NewRun,
  PlanRow,
  ReserveRequest,
  UploadRow,
  NewInstance,
  RunStatus,
} from '../../../src/ledger/port.ts';

export const T0 = Date.UTC(2026, 10, 30, 12, 0, 0, 123);
export const digest = (character: string): string => character.repeat(64);

export const newRun = (changes: Partial<NewRun> = {}): NewRun => ({
  runId: 'run1',
  tenant: 'local',
  requester: 'alice',
  goal: 'Where did it rain?',
  locale: 'it-CH',
  request: '{"goal":"Where did it rain?"}',
  requestDigest: digest('a'),
  idempotencyKey: null,
  roles: ['requester'],
  instanceId: changes.runId ?? 'run1',
  uploads: [],
  now: T0,
  ...changes,
});

export const planRow = (changes: Partial<PlanRow> = {}): PlanRow => ({
  runId: 'run1',
  revision: 1,
  planDigest: digest('b'),
  plan: '{"nodes":[]}',
  warrantDigest: digest('c'),
  warrant: '{}',
  schedule: '{}',
  findings: '[]',
  createdAt: T0,
  ...changes,
});

export const reservation = (changes: Partial<ReserveRequest> = {}): ReserveRequest => ({
  operationKey: 'op1',
  runId: 'run1',
  nodeId: 'rainfall',
  item: -1,
  planDigest: digest('b'),
  argsDigest: digest('d'),
  tool: 'gis.readRainfall',
  effect: 'none',
  attempt: 1,
  now: T0,
  ownerMs: 60_000,
  by: changes.runId ?? 'run1',
  decisions: [],
  ...changes,
});

export const artifactRow = (changes: Partial<ArtifactRow> = {}): ArtifactRow => ({
  id: 'art_1',
  tenant: 'local',
  runId: 'run1',
  nodeId: 'rainfall',
  item: -1,
  output: 'observations',
  sha256: digest('e'),
  bytes: 12,
  mediaType: 'application/json',
  fileName: 'observations.json',
  type: {
    kind: 'observations',
    quantity: 'rain',
    unit: 'mm',
    valueKind: 'interval',
    window: null,
    crs: 'EPSG:2056',
    validated: false,
  },
  labels: { integrity: ['external'], confidentiality: 'internal', licences: ['CC BY 4.0'] },
  blobName: 'local/runs/run1/rainfall/all/observations-e',
  value: null,
  createdAt: T0,
  ...changes,
});

export const uploadRow = (changes: Partial<UploadRow> = {}): UploadRow => ({
  sha256: digest('f'),
  tenant: 'local',
  owner: 'alice',
  bytes: 3,
  mediaType: 'text/csv',
  name: 'Rossi private rain.csv',
  blobName: 'local/uploads/alice/f',
  createdAt: T0,
  ...changes,
});

export const decision = (changes: Partial<DecisionRow> = {}): DecisionRow => ({
  seq: 1,
  nodeId: 'map',
  item: -1,
  kind: 'skippedByFailure',
  attempt: 1,
  reason: 'exposure failed',
  ...changes,
});

export const completion = (artifacts: readonly ArtifactRow[] = [artifactRow()], now = T0 + 5) => ({
  artifacts,
  resultDigest: digest('9'),
  checks: [{ name: 'rowsKept', passed: true, detail: '467 of 467' }],
  now,
});

export const failure = (errorClass: 'transient' | 'throttled' | 'permanent' | 'unknown', now = T0 + 5) => ({
  error: { code: 'TOOL_FAILED' as const, class: errorClass, message: 'The service said no.' },
  checks: [],
  now,
});

/** A child that sleeps for the node `pause`. */
export const newInstance = (changes: Partial<NewInstance> = {}): NewInstance => ({
  instanceId: `${changes.runId ?? 'run1'}-aaaaaaaaaaaa`,
  runId: 'run1',
  kind: 'sleep',
  revision: 1,
  nodeId: 'pause',
  item: -1,
  attempt: 1,
  until: T0,
  to: null,
  ...changes,
});

/** The end of a run. */
export const ending = (status: RunStatus, now = T0 + 9, by = 'run1') => ({
  status,
  headline: null,
  error: null,
  now,
  by,
  decisions: [],
});
