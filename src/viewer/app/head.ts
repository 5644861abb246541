import type { VNode } from 'preact';
import type { Run, RunNode } from './api.ts';
import { Badge } from './badge.ts';
import { Controls } from './controls.ts';
import { Findings } from './findings.ts';
import { html } from './html.ts';
import { adviceFor, controlLook, isTerminal, runLook } from './states.ts';

const skipped = ({ state }: RunNode): boolean => state === 'skippedByCondition' || state === 'skippedByFailure';

/** `3 of 6 steps done, 1 not needed`, with a bar that is full when nothing is left. */
function Progress({ nodes }: { nodes: readonly RunNode[] }): VNode | null {
  if (nodes.length === 0) return null;
  const done = nodes.filter((node) => node.state === 'succeeded').length;
  const left = nodes.filter(skipped).length;
  return html`<span>${done} of ${nodes.length} steps done${left === 0 ? '' : `, ${left} skipped`}</span>
    <progress max=${nodes.length} value=${done + left} aria-label="Steps done or skipped"></progress>`;
}

/** Goal, status, progress, what can be done, and why it ended where it did not succeed. */
export function Head({ run, onChange }: { run: Run; onChange: () => void }): VNode {
  const control = isTerminal(run.status) ? null : controlLook(run.control ?? 'none', run.held === true);
  const first = run.retryOf ?? '';
  const again =
    first === '' ? null : html`, retry of <a href=${`#/runs/${encodeURIComponent(first)}`}><code>${first}</code></a>`;
  return html`<header class="card head">
    <h2 dir="auto">${run.goal === undefined || run.goal === '' ? 'Run' : run.goal}</h2>
    <div class="status">
      <p class="status" role="status">
        <${Badge} look=${runLook(run.status)} />
        ${control === null ? null : html`<${Badge} look=${control} />`}
        <${Progress} nodes=${run.nodes ?? []} />
      </p>
      <${Controls} run=${run} onChange=${onChange} />
    </div>
    <p class="quiet">Run <code>${run.runId}</code>${again}</p>
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
