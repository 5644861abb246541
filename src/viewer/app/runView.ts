import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api, ApiError, type ApprovedPlan, type Finding, type PlanNode, type Report, type Run } from './api.ts';
import { Findings } from './findings.ts';
import { Graph } from './graph.ts';
import { Head } from './head.ts';
import { html } from './html.ts';
import { poll } from './poll.ts';
import { Downloads, MapFrame, ReportCard } from './results.ts';
import { isTerminal } from './states.ts';
import { Steps } from './steps.ts';

interface Seen {
  readonly run: Run | null;
  readonly plan: readonly PlanNode[];
  /** What the validator noted when it approved the plan. */
  readonly notes: readonly Finding[];
  readonly report: Report | null;
  /** Milliseconds since the epoch of the last look. */
  readonly now: number;
  readonly lost: string | null;
}

const NOTHING: Seen = { run: null, plan: [], notes: [], report: null, now: 0, lost: null };
const orNull = async <T>(promise: Promise<T>): Promise<T | null> => promise.catch(() => null);

/** Looks at a run until it is over, then reads the report once more; each `round` begins anew, with a look at once. */
function useRun(runId: string, round: number): Seen {
  const [seen, setSeen] = useState<Seen>(NOTHING);
  useEffect(() => {
    let last = '';
    let approved: ApprovedPlan | null = null;
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
      // Read once: a plan never changes under a run.
      if (nodes.length > 0) approved ??= await orNull(api.plan(runId));
      const plan = nodes.some((node) => node.dependsOn) ? nodes : (approved?.nodes ?? []);
      const over = isTerminal(run.status);
      const report = over ? await orNull(api.report(runId)) : null;
      const text = JSON.stringify(run);
      const changed = text !== last;
      last = text;
      setSeen({ run, plan, notes: approved?.notes ?? [], report, now: Date.now(), lost: null });
      return over ? 'done' : changed ? 'changed' : 'same';
    });
  }, [runId, round]);
  return seen;
}

/** The validator's notes; edges that it only wrote down are folded away. */
function Notes({ notes }: { notes: readonly Finding[] }): VNode {
  const added = notes.filter(({ code }) => code === 'UNDECLARED_DEPENDENCY');
  const telling = notes.filter((note) => !added.includes(note));
  return html`${
    telling.length === 0
      ? null
      : html`<h3>Notes on the plan</h3>
          <${Findings} findings=${telling} />`
  }
  ${
    added.length === 0
      ? null
      : html`<details>
          <summary>Dependencies that the plan did not state: ${added.length}</summary>
          <${Findings} findings=${added} />
        </details>`
  }`;
}

/** One run: what it is doing, its plan, its map, its report, its files. To be mounted anew for another run. */
export function RunView({ runId }: { runId: string }): VNode {
  const [round, setRound] = useState(0);
  const { run, plan, notes, report, now, lost } = useRun(runId, round);
  const notice =
    lost === null ? null : html`<p class="refusal" role="alert">${lost}${run === null ? '' : ' Trying again…'}</p>`;
  if (run === null) return html`<div>${notice ?? html`<p class="card quiet">Loading…</p>`}</div>`;
  const nodes = run.nodes ?? [];
  return html`<div class="run" data-status=${run.status}>
    ${notice}
    <${Head} run=${run} onChange=${() => setRound((before) => before + 1)} />
    ${report === null ? null : html`<${ReportCard} report=${report} />`}
    <${MapFrame} run=${run} />
    ${
      nodes.length === 0 && plan.length === 0
        ? null
        : html`<section class="card" aria-labelledby="steps-title">
            <h2 id="steps-title">Steps</h2>
            <${Graph} plan=${plan} nodes=${nodes} />
            <${Steps} nodes=${nodes} plan=${plan} now=${now} />
            <${Notes} notes=${notes} />
          </section>`
    }
    <${Downloads} run=${run} />
  </div>`;
}
