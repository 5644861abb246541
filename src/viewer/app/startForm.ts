import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api, ApiError, type PatchOperation } from './api.ts';
import { Findings } from './findings.ts';
import { html } from './html.ts';
import { applyPatch } from './patch.ts';
import { answerIn, exposurePlan, PRESETS, type Source } from './presets.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;
const textOf = (event: Event): string => (event.currentTarget as Field).value;
const fileOf = (event: Event): File | null => (event.currentTarget as HTMLInputElement).files?.[0] ?? null;

const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(0, 'PAGE', error instanceof Error ? error.message : String(error));

/** Goal, optional plan, optional own data. Starts a run and opens it. */
export function StartForm({ onStarted }: { onStarted: (runId: string) => void }): VNode {
  const [goal, setGoal] = useState(PRESETS[0]?.goal ?? '');
  const [plan, setPlan] = useState('');
  const [rain, setRain] = useState<File | null>(null);
  const [assets, setAssets] = useState<File | null>(null);
  const [threshold, setThreshold] = useState('30');
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [open, setOpen] = useState(false);

  const attempt = async (word: string, action: () => Promise<void>): Promise<void> => {
    setBusy(word);
    setFailure(null);
    try {
      await action();
    } catch (error) {
      setFailure(asApiError(error));
    }
    setBusy('');
  };
  const parsePlan = (): unknown => {
    try {
      return JSON.parse(plan) as unknown;
    } catch (error) {
      throw new ApiError(0, 'BAD_JSON', `The plan is not JSON: ${error instanceof Error ? error.message : ''}`);
    }
  };
  const start = (event: Event): void => {
    event.preventDefault();
    void attempt('Starting…', async () => {
      const place = answerIn(goal.trim());
      const withGoal = goal.trim() === '' ? place : { ...place, goal: goal.trim() };
      const { runId } = await api.start(plan.trim() === '' ? withGoal : { ...withGoal, plan: parsePlan() });
      onStarted(runId);
    });
  };
  const makePlan = (): void => {
    void attempt('Uploading…', async () => {
      const send = async (file: File | null): Promise<Source> =>
        file ? { upload: (await api.upload(file)).sha256 } : 'sample';
      const [rainSource, assetSource] = [await send(rain), await send(assets)];
      setPlan(JSON.stringify(exposurePlan(goal.trim(), rainSource, assetSource, Number(threshold) || 30), null, 2));
    });
  };
  const applyFix = (fix: readonly PatchOperation[]): void => {
    void attempt('Applying…', async () => {
      setPlan(JSON.stringify(applyPatch(parsePlan(), fix), null, 2));
      setOpen(true);
      return Promise.resolve();
    });
  };
  const missing = goal.trim() === '' && plan.trim() === '';

  return html`<form class="card start" onSubmit=${start}>
    <h2><label for="goal">What do you want to know?</label></h2>
    <textarea id="goal" rows="3" dir="auto" value=${goal} onInput=${(event: Event) => setGoal(textOf(event))} />
    <p class="presets">
      Examples:
      ${PRESETS.map((one) => html`<button type="button" class="chip" lang=${one.language} onClick=${() => setGoal(one.goal)}>${one.label}</button>`)}
    </p>
    <details open=${open} onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Use your own data or plan</summary>
      <fieldset>
        <legend>Your data</legend>
        <label>Rainfall (CSV, JSON) <input type="file" onChange=${(event: Event) => setRain(fileOf(event))} /></label>
        <label
          >Assets (GeoJSON, CSV) <input type="file" onChange=${(event: Event) => setAssets(fileOf(event))}
        /></label>
        <label class="inline"
          >Threshold
          <input
            type="number"
            min="1"
            max="2000"
            value=${threshold}
            onInput=${(event: Event) => setThreshold(textOf(event))}
          />
          mm</label
        >
        <button type="button" disabled=${busy !== '' || (!rain && !assets)} onClick=${makePlan}>
          Upload and write a plan
        </button>
        <p class="quiet">
          What you leave out is taken from the built-in sample. The plan appears below and can be changed, for example
          to add a <code>schema</code> for your columns.
        </p>
      </fieldset>
      <label for="plan">Plan (JSON). Empty: the planner makes one from the goal.</label>
      <textarea
        id="plan"
        class="code"
        rows=${plan === '' ? 4 : 16}
        spellcheck=${false}
        value=${plan}
        onInput=${(event: Event) => setPlan(textOf(event))}
      />
    </details>
    <p class="actions">
      <button type="submit" class="primary" disabled=${busy !== '' || missing}>${busy === '' ? 'Start' : busy}</button>
      <span class="quiet">The plan is checked before anything runs.</span>
    </p>
    ${
      failure === null
        ? null
        : html`<div class="refusal" role="alert">
            <p><strong>${failure.message}</strong> <code>${failure.code}</code></p>
            <${Findings} findings=${failure.findings} onFix=${plan.trim() === '' ? undefined : applyFix} />
          </div>`
    }
  </form>`;
}
