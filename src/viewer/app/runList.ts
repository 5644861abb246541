import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api, type Run } from './api.ts';
import { html } from './html.ts';
import { poll } from './poll.ts';
import { Badge } from './badge.ts';
import { runLook } from './states.ts';

/** The latest runs, newest first as the API gives them. */
export function RunList({ current }: { current: string | null }): VNode {
  const [runs, setRuns] = useState<readonly Run[] | null>(null);
  useEffect(() => {
    let last = '';
    return poll(async () => {
      const { items } = await api.runs();
      const text = JSON.stringify(items);
      const changed = text !== last;
      last = text;
      if (changed) setRuns(items);
      return changed ? 'changed' : 'same';
    });
  }, []);
  const body =
    runs === null
      ? html`<p class="quiet">Loading…</p>`
      : runs.length === 0
        ? html`<p class="quiet">No runs yet. Start one with an example goal: it takes under a minute.</p>`
        : html`<ul class="runs">
            ${runs.slice(0, 50).map(
              (run) =>
                html`<li key=${run.runId}>
                  <a
                    href=${`#/runs/${encodeURIComponent(run.runId)}`}
                    aria-current=${run.runId === current ? 'page' : undefined}
                  >
                    <span class="goal" dir="auto"
                      >${run.goal === undefined || run.goal === '' ? run.runId : run.goal}</span
                    >
                    <${Badge} look=${runLook(run.status)} />
                  </a>
                </li>`,
            )}
          </ul>`;
  return html`<nav class="card" aria-labelledby="runs-title">
    <h2 id="runs-title">Runs</h2>
    ${body}
  </nav>`;
}
