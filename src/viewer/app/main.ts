/** Entry of the viewer: `#/` starts a run, `#/runs/{id}` shows one. */
import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.ts';
import { RunList } from './runList.ts';
import { RunView } from './runView.ts';
import { StartForm } from './startForm.ts';

/** The run named in the address, null on the start page. */
function runInAddress(): string | null {
  const match = /^#\/runs\/(.+)$/.exec(location.hash);
  if (match?.[1] === undefined) return null;
  try {
    return decodeURIComponent(match[1]);
  } catch {
    return null;
  }
}

const How = (): VNode =>
  html`<ol class="how">
    <li><strong>Plan</strong> The goal becomes steps with known tools.</li>
    <li><strong>Check</strong> A plan that does not hold is refused, with the fix.</li>
    <li><strong>Run</strong> You see each step work, here.</li>
    <li><strong>Map and report</strong> Every number is recomputed before it is shown.</li>
  </ol>`;

function App(): VNode {
  const [runId, setRunId] = useState(runInAddress);
  useEffect(() => {
    const follow = (): void => {
      setRunId(runInAddress());
      document.getElementById('main')?.focus();
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const open = (id: string): void => {
    location.hash = `#/runs/${encodeURIComponent(id)}`;
  };
  return html`<div class="page">
    <header class="top">
      <a class="brand" href="#/">GeoAgent</a>
      <span>Ask, check the plan, watch it run, see the map.</span>
      ${runId === null ? null : html`<a class="new" href="#/">New run</a>`}
    </header>
    <div class=${runId === null ? 'columns home' : 'columns'}>
      <main id="main" tabindex="-1">
        ${runId === null ? html`<${StartForm} onStarted=${open} /><${How} />` : html`<${RunView} key=${runId} runId=${runId} />`}
      </main>
      <aside><${RunList} current=${runId} /></aside>
    </div>
  </div>`;
}

const root = document.getElementById('app');
if (root) render(html`<${App} />`, root);
