import type { VNode } from 'preact';
import type { PlanNode, RunNode } from './api.ts';
import { Badge } from './badge.ts';
import { html } from './html.ts';
import { adviceFor, nodeLook } from './states.ts';
import { duration } from './text.ts';

interface Props {
  readonly nodes: readonly RunNode[];
  readonly plan: readonly PlanNode[];
  /** Milliseconds since the epoch, for what still runs. */
  readonly now: number;
}

/** The steps of a run in the order of the plan: state in words, time, attempts, error and what to do about it. */
export function Steps({ nodes, plan, now }: Props): VNode {
  const inserted = new Set(plan.filter((one) => one.insertedBy !== undefined).map((one) => one.id));
  const rows = nodes.map((node) => {
    const attempt = node.attempt ?? 0;
    return html`<tr key=${node.id}>
      <th scope="row">
        ${node.id}${inserted.has(node.id) ? html` <span class="quiet" title="Put in so that the plan fits together">(added)</span>` : null}
      </th>
      <td class="quiet">${node.tool}</td>
      <td>
        <${Badge} look=${nodeLook(node.state)} />
        ${node.waitingFor ? html`<span class="quiet"> ${node.waitingFor.reason}</span>` : null}
        ${
          node.error
            ? html`<div class="refusal">
                <p><code>${node.error.code}</code> ${node.error.message}</p>
                <p>${adviceFor(node.error.code)}</p>
              </div>`
            : null
        }
      </td>
      <td class="number">
        ${duration(node.startedAt, node.endedAt, nodeLook(node.state).tone === 'busy' ? now : null)}
      </td>
      <td class="number">${attempt > 1 ? attempt : ''}</td>
    </tr>`;
  });
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Tool</th>
          <th scope="col">State</th>
          <th scope="col" class="number">Time</th>
          <th scope="col" class="number">Attempts</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
