import type { VNode } from 'preact';
import type { Items, PlanNode, RunNode } from './api.ts';
import { Badge } from './badge.ts';
import { html } from './html.ts';
import { adviceFor, stepLook } from './states.ts';
import { clock, duration } from './text.ts';

interface Props {
  readonly nodes: readonly RunNode[];
  readonly plan: readonly PlanNode[];
  /** Milliseconds since the epoch, for what still runs. */
  readonly now: number;
}

/** States in which time goes by for a step. */
const BEGUN = new Set(['running', 'polling', 'waitingForResource', 'waitingForApproval']);
/** Not begun or cut short: no error of the step's own. */
const NOT_ITS_OWN = new Set(['skippedByCondition', 'skippedByFailure', 'cancelled']);

/** `59 of 60 items done, 1 skipped`. */
function ItemCounts({ items, going }: { items: Items; going: boolean }): VNode {
  const more = [
    items.failed === 0 ? '' : `, ${items.failed} failed`,
    items.skipped === 0 ? '' : `, ${items.skipped} skipped`,
  ].join('');
  return html`<p class="quiet items">
    ${items.open === 0 || !going ? null : html`<progress max=${items.total} value=${items.total - items.open} aria-label="Items that have ended"></progress> `}
    ${items.completed} of ${items.total} items done${more}
  </p>`;
}

/** What a step waits for and until when, or why it was skipped or cut short; nothing for a loop, whose counts say it. */
function Why({ node, now }: { node: RunNode; now: number }): VNode | null {
  const { waitingFor, reason, externalJobId } = node;
  if (waitingFor && waitingFor.kind !== 'items') {
    const until = waitingFor.until === undefined ? '' : clock(waitingFor.until, now);
    const left = until === '' ? '' : ` (${duration(new Date(now).toISOString(), waitingFor.until, null)} left)`;
    const job = externalJobId === undefined ? '' : ` ${externalJobId}`;
    const what = waitingFor.kind === 'wait' && until !== '' ? '' : `${waitingFor.reason}${job}`;
    return html`<p class="quiet">${what}${until === '' ? '' : `${what === '' ? '' : ', '}until ${until}${left}`}</p>`;
  }
  const why = reason ?? (NOT_ITS_OWN.has(node.state) ? node.error?.message : undefined);
  return why === undefined ? null : html`<p class="quiet">${why}</p>`;
}

/** The steps of a run in the order of the plan: state in words, time, attempts, error and what to do about it. */
export function Steps({ nodes, plan, now }: Props): VNode {
  const inserted = new Set(plan.filter((one) => one.insertedBy !== undefined).map((one) => one.id));
  const rows = nodes.map((node) => {
    const attempt = node.attempt ?? 0;
    const look = stepLook(node);
    const going = node.endedAt === null || node.endedAt === undefined;
    return html`<tr key=${node.id}>
      <th scope="row">
        ${node.id}${inserted.has(node.id) ? html` <span class="quiet" title="Put in so that the plan fits together">(added)</span>` : null}
      </th>
      <td class="quiet">${node.tool}</td>
      <td>
        <${Badge} look=${look} />
        ${node.items ? html`<${ItemCounts} items=${node.items} going=${node.state === 'running'} />` : null}
        <${Why} node=${node} now=${now} />
        ${
          node.error && !NOT_ITS_OWN.has(node.state)
            ? html`<div class="refusal">
                <p><code>${node.error.code}</code> ${node.error.message}</p>
                <p>${adviceFor(node.error.code)}</p>
              </div>`
            : null
        }
      </td>
      <td class="number">${duration(node.startedAt, node.endedAt, going && BEGUN.has(node.state) ? now : null)}</td>
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
