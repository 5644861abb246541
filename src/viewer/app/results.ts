import type { VNode } from 'preact';
import { api, type ArtifactRef, type Report, type Run } from './api.ts';
import { html } from './html.ts';
import { fileKind, fileSize } from './text.ts';

interface Named {
  readonly name: string;
  readonly artifact: ArtifactRef;
}

/** Artifacts of all steps (`map.html`) and of the run's outputs, each once, in the order of the steps. */
export function artifactsOf(run: Run): Named[] {
  const found = new Map<string, Named>();
  const note = (name: string, artifact: ArtifactRef): void => {
    if (typeof artifact.id === 'string' && !found.has(artifact.id)) found.set(artifact.id, { name, artifact });
  };
  for (const node of run.nodes ?? []) {
    for (const [output, artifact] of Object.entries(node.outputs ?? {})) note(`${node.id}.${output}`, artifact);
  }
  for (const [output, artifact] of Object.entries(run.outputs ?? {})) note(output, artifact);
  return [...found.values()];
}

/** The interactive map in a frame without origin: it can run its own script and nothing else. */
export function MapFrame({ run }: { run: Run }): VNode | null {
  const map = artifactsOf(run).findLast(({ artifact }) => artifact.mediaType.startsWith('text/html'));
  if (!map) return null;
  const url = api.artifactUrl(run.runId, map.artifact.id);
  return html`<section class="card" aria-labelledby="map-title">
    <h2 id="map-title">Map <a class="aside" href=${url} target="_blank" rel="noopener">open in its own tab</a></h2>
    <iframe
      class="map"
      title="Map of the results"
      src=${url}
      sandbox="allow-scripts"
      referrerpolicy="no-referrer"
    ></iframe>
  </section>`;
}

/** Headline, checks and text of the report. */
export function ReportCard({ report }: { report: Report }): VNode {
  const checks = report.checks ?? [];
  const failed = checks.filter((one) => !one.passed).length;
  const list = checks.map(
    (one) =>
      html`<li class=${one.passed ? 'good' : 'bad'}>
        <span aria-hidden="true">${one.passed ? '✓' : '✕'}</span>
        <span
          >${one.passed ? '' : 'Failed: '}${one.name}${one.nodeId === undefined ? '' : ` (${one.nodeId})`}
          ${one.detail === undefined ? null : html`<span class="quiet"> ${one.detail}</span>`}</span
        >
      </li>`,
  );
  return html`<section class="card" aria-labelledby="report-title">
    <h2 id="report-title">Report</h2>
    ${report.headline === undefined || report.headline === null ? null : html`<p class="headline" dir="auto">${report.headline}</p>`}
    ${report.text === undefined ? null : html`<p class="text" dir="auto">${report.text}</p>`}
    ${
      checks.length === 0
        ? null
        : html`<details open=${failed > 0}>
            <summary>
              ${failed === 0 ? `All ${checks.length} checks passed` : `${failed} of ${checks.length} checks failed`}
            </summary>
            <ul class="checks">
              ${list}
            </ul>
          </details>`
    }
  </section>`;
}

/** Everything that can be downloaded. */
export function Downloads({ run }: { run: Run }): VNode | null {
  const all = artifactsOf(run);
  if (all.length === 0) return null;
  const rows = all.map(
    ({ name, artifact }) =>
      html`<tr key=${artifact.id}>
        <th scope="row">
          <a href=${api.artifactUrl(run.runId, artifact.id)} download>${artifact.fileName ?? name}</a>
        </th>
        <td>${fileKind(artifact.mediaType)}</td>
        <td class="number">${fileSize(artifact.bytes)}</td>
        <td><code title=${`SHA-256 ${artifact.sha256 ?? ''}`}>${(artifact.sha256 ?? '').slice(0, 12)}</code></td>
      </tr>`,
  );
  return html`<section class="card" aria-labelledby="files-title">
    <h2 id="files-title">Files</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Kind</th>
            <th scope="col" class="number">Size</th>
            <th scope="col">SHA-256</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </section>`;
}
