/** Links of a run, absolute under the origin the caller used. No key of the platform ever appears in one (O-40). */
export function runLinks(origin: string, runId: string): Readonly<Record<string, string>> {
  const base = `${origin}/api/runs/${runId}`;
  return {
    self: base,
    plan: `${base}/plan`,
    report: `${base}/report`,
    events: `${base}/events`,
    artifacts: `${base}/artifacts`,
    cancel: `${base}/cancel`,
    suspend: `${base}/suspend`,
    resume: `${base}/resume`,
    retry: `${base}/retry`,
    durable: `${base}/durable`,
    ui: `${origin}/api/ui#/runs/${runId}`,
  };
}
