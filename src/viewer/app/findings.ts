import type { VNode } from 'preact';
import type { Finding, PatchOperation } from './api.ts';
import { html } from './html.ts';

const VERBS = new Map([
  ['add', 'add'],
  ['remove', 'remove'],
  ['replace', 'change'],
  ['move', 'move'],
  ['copy', 'copy'],
]);

function step({ op, path, from, value }: PatchOperation): string {
  const verb = VERBS.get(op) ?? op;
  const what = value === undefined ? '' : `: ${JSON.stringify(value)}`;
  return `${verb} ${from === undefined ? '' : `${from} → `}${path}${what}`;
}

interface Props {
  readonly findings: readonly Finding[];
  /** Called with a fix that the person wants; absent where there is no plan to change. */
  readonly onFix?: (fix: readonly PatchOperation[]) => void;
}

/** What the validator says about a plan, each with its place and, where there is one, the fix in words. */
export function Findings({ findings, onFix }: Props): VNode {
  const items = findings.map(({ code, severity, path, nodeId, message, hint, fix }) => {
    const steps = (fix ?? []).filter(({ op }) => op !== 'test');
    const where = [nodeId === undefined ? '' : `step ${nodeId}`, path].filter((part) => part !== '').join(', ');
    return html`<li class=${severity}>
      <p><strong>${severity === 'error' ? 'Refused' : 'Note'}: ${message}</strong></p>
      <p class="quiet"><code>${code}</code> at ${where === '' ? 'the plan' : where}</p>
      ${hint === undefined ? null : html`<p>${hint}</p>`}
      ${
        fix === undefined || steps.length === 0
          ? null
          : html`<div class="fix">
              <p>Proposed fix:</p>
              <ul>
                ${steps.map((one) => html`<li><code>${step(one)}</code></li>`)}
              </ul>
              ${onFix ? html`<button type="button" onClick=${() => onFix(fix)}>Apply to the plan</button>` : null}
            </div>`
      }
    </li>`;
  });
  return html`<ul class="findings">
    ${items}
  </ul>`;
}
