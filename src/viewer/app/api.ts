/** The HTTP API as this page uses it (contracts.md "HTTP details"). Same origin only. */

export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly nodeId?: string;
  readonly message: string;
  readonly hint?: string;
  readonly fix?: readonly PatchOperation[];
}

export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export interface ArtifactRef {
  readonly id: string;
  readonly sha256?: string;
  readonly bytes?: number;
  readonly mediaType: string;
  readonly fileName?: string;
}

export interface NodeError {
  readonly code: string;
  readonly message: string;
  readonly class?: string;
}

export type RunAction = 'suspend' | 'resume' | 'cancel' | 'retry';

/** How the items of a loop stand. */
export interface Items {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly open: number;
}

export interface RunNode {
  readonly id: string;
  readonly tool: string;
  readonly state: string;
  readonly attempt?: number;
  readonly startedAt?: string | null;
  readonly endedAt?: string | null;
  readonly dependsOn?: readonly string[];
  readonly insertedBy?: string;
  readonly waitingFor?: { readonly kind: string; readonly reason: string; readonly until?: string } | null;
  readonly externalJobId?: string;
  readonly items?: Items;
  /** Why it was skipped. */
  readonly reason?: string;
  /** It failed and the plan goes on without it. */
  readonly tolerated?: boolean;
  readonly outputs?: Readonly<Record<string, ArtifactRef>> | null;
  readonly error?: NodeError | null;
}

export interface Run {
  readonly runId: string;
  readonly status: string;
  readonly held?: boolean;
  readonly control?: string;
  readonly retryOf?: string | null;
  /** What the caller may do with it now. */
  readonly actions?: readonly RunAction[];
  readonly goal?: string;
  readonly createdAt?: string;
  readonly nodes?: readonly RunNode[];
  readonly outputs?: Readonly<Record<string, ArtifactRef>> | null;
  readonly findings?: readonly Finding[];
  readonly error?: NodeError | null;
}

export interface PlanNode {
  readonly id: string;
  readonly tool: string;
  readonly dependsOn?: readonly string[];
  readonly insertedBy?: string;
}

/** The plan as it was approved, and what the validator noted beside it. */
export interface ApprovedPlan {
  readonly nodes: readonly PlanNode[];
  readonly notes: readonly Finding[];
}

export interface Report {
  readonly headline?: string | null;
  readonly checks?: readonly {
    readonly nodeId?: string;
    readonly name: string;
    readonly passed: boolean;
    readonly detail?: string;
  }[];
  readonly text?: string;
}

/** A refusal of the API, or a failure to reach it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly findings: readonly Finding[];

  constructor(status: number, code: string, message: string, findings: readonly Finding[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.findings = findings;
  }
}

interface Problem {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly findings?: readonly Finding[];
}

async function call<T>(method: string, path: string, body?: string | File): Promise<T> {
  const headers: Record<string, string> = { 'X-GeoAgent': '1', Accept: 'application/json' };
  if (body !== undefined)
    headers['Content-Type'] = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { method, headers, body: body ?? null, credentials: 'same-origin' });
  } catch {
    throw new ApiError(0, 'UNREACHABLE', 'The server does not answer.');
  }
  const text = await response.text();
  let value: unknown;
  try {
    value = text === '' ? null : JSON.parse(text);
  } catch {
    throw new ApiError(response.status, 'NOT_JSON', `The server answered ${response.status} without JSON.`);
  }
  if (!response.ok) {
    const problem = (value ?? {}) as Problem;
    const message = problem.detail ?? problem.title ?? `The server answered ${response.status}.`;
    throw new ApiError(response.status, problem.code ?? String(response.status), message, problem.findings);
  }
  return value as T;
}

const run = (id: string): string => `/runs/${encodeURIComponent(id)}`;

export const api = {
  start: (body: { goal?: string; plan?: unknown; locale?: string; timeZone?: string }) =>
    call<Run>('POST', '/runs', JSON.stringify(body)),
  runs: () => call<{ readonly items: readonly Run[] }>('GET', '/runs'),
  run: (id: string) => call<Run>('GET', run(id)),
  plan: async (id: string): Promise<ApprovedPlan> => {
    const answer = await call<{ plan?: { nodes?: readonly PlanNode[] }; findings?: readonly Finding[] } | null>(
      'GET',
      `${run(id)}/plan`,
    );
    return { nodes: answer?.plan?.nodes ?? [], notes: answer?.findings ?? [] };
  },
  report: (id: string) => call<Report>('GET', `${run(id)}/report`),
  control: (id: string, action: RunAction) => call<{ readonly runId: string }>('POST', `${run(id)}/${action}`, '{}'),
  upload: (file: File) =>
    call<{ readonly sha256: string }>('POST', `/uploads?name=${encodeURIComponent(file.name)}`, file),
  artifactUrl: (id: string, artifact: string) => `/api${run(id)}/artifacts/${encodeURIComponent(artifact)}`,
};
