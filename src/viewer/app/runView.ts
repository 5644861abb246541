import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api, ApiError, type PlanNode, type Report, type Run } from './api.ts';
import { Badge } from './badge.ts';
import { Findings } from './findings.ts';
import { Graph } from './graph.ts';
import { html } from './html.ts';
import { poll } from './poll.ts';
import { Downloads, MapFrame, ReportCard } from './results.ts';
import { adviceFor, isTerminal, runLook } from './states.ts';
import { Steps } from './steps.ts';

interface Seen {
  readonly run: Run | null;
  readonly plan: readonly PlanNode[];
  readonly report: Report | null;
  /** Milliseconds since the epoch of the last look. */
  readonly now: number;
  readonly lost: string | null;
}

const NOTHING: Seen = { run: null, plan: [], report: null, now: 0, lost: null };
const orNull = async <T>(promise: Promise<T>): Promise<T | null> => promise.catch(() => null);

/** Looks at a run until it is over; then reads the report once more. */
function useRun(runId: string): Seen {
  const [seen, setSeen] = useState<Seen>(NOTHING);
  useEffect(() => {
    setSeen(NOTHING);
    let last = '';
    let plan: readonly PlanNode[] = [];
    return poll(async () => {
      let run: Run;
      try {
        run = await api.run(runId);
      } catch (error) {
        const problem = error instanceof ApiError ? error : new ApiError(0, 'PAGE', String(error));
        setSeen((before) => ({ ...before, lost: problem.message }));
        if (problem.status === 404 || problem.status === 400) return 'done';
        throw problem;
      }
      const nodes = run.nodes ?? [];
      if (nodes.some((node) => node.dependsOn)) plan = nodes;
      else if (plan.length < nodes.length) plan = (await orNull(api.plan(runId))) ?? plan;
      const over = isTerminal(run.status);
      const report = over ? await orNull(api.report(runId)) : null;
      const text = JSON.stringify(run);
      const changed = text !== last;
      last = text;
      setSeen({ run, plan, report, now: Date.now(), lost: null });
      return over ? 'done' : changed ? 'changed' : 'same';
    });
  }, [runId]);
  return seen;
}

function Head({ run }: { run: Run }): VNode {
  const [asked, setAsked] = useState(false);
  const cancel = (): void => {
    setAsked(true);
    void api.cancel(run.runId).catch(() => setAsked(false));
  };
  const nodes = run.nodes ?? [];
  const done = nodes.filter((node) => node.state === 'succeeded').length;
  return html`<header class="card head">
    <h2 dir="auto">${run.goal === undefined || run.goal === '' ? 'Run' : run.goal}</h2>
    <p class="status" role="status">
      <${Badge} look=${runLook(run.status)} />
      ${run.held === true ? html`<span class="badge wait">held</span>` : null}
      ${nodes.length === 0 ? null : html`<span>${done} of ${nodes.length} steps done</span>`}
      ${nodes.length === 0 ? null : html`<progress max=${nodes.length} value=${done} aria-label="Steps done"></progress>`}
      ${isTerminal(run.status) ? null : html`<button type="button" disabled=${asked} onClick=${cancel}>${asked ? 'Cancelling…' : 'Cancel'}</button>`}
    </p>
    <p class="quiet">Run <code>${run.runId}</code></p>
    ${
      run.error
        ? html`<div class="refusal" role="alert">
            <p><code>${run.error.code}</code> ${run.error.message}</p>
            <p>${adviceFor(run.error.code)}</p>
          </div>`
        : null
    }
    ${run.findings === undefined || run.findings.length === 0 ? null : html`<${Findings} findings=${run.findings} />`}
  </header>`;
}

/** One run: what it is doing, its plan, its map, its report, its files. */
export function RunView({ runId }: { runId: string }): VNode {
  const { run, plan, report, now, lost } = useRun(runId);
  const notice =
    lost === null ? null : html`<p class="refusal" role="alert">${lost}${run === null ? '' : ' Trying again…'}</p>`;
  if (run === null) return html`<div>${notice ?? html`<p class="card quiet">Loading…</p>`}</div>`;
  const nodes = run.nodes ?? [];
  return html`<div class="run" data-status=${run.status}>
    ${notice}
    <${Head} run=${run} />
    ${report === null ? null : html`<${ReportCard} report=${report} />`}
    <${MapFrame} run=${run} />
    ${
      nodes.length === 0 && plan.length === 0
        ? null
        : html`<section class="card" aria-labelledby="steps-title">
            <h2 id="steps-title">Steps</h2>
            <${Graph} plan=${plan} nodes=${nodes} />
            <${Steps} nodes=${nodes} plan=${plan} now=${now} />
          </section>`
    }
    <${Downloads} run=${run} />
  </div>`;
}
