import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type Run, type RunAction } from './api.ts';
import { html } from './html.ts';

interface Word {
  readonly word: string;
  readonly asked: string;
  readonly title: string;
}

const WORDS: Readonly<Record<RunAction, Word>> = {
  suspend: { word: 'Suspend', asked: 'Suspending…', title: 'What runs goes on; nothing new starts until you resume' },
  resume: { word: 'Resume', asked: 'Resuming…', title: 'Go on where the run was suspended' },
  cancel: { word: 'Cancel', asked: 'Cancelling…', title: 'End the run; what is done stays' },
  retry: { word: 'Retry', asked: 'Starting…', title: 'A new run of the same request; finished steps are taken over' },
};

interface Props {
  readonly run: Run;
  /** Looks at the run again at once. */
  readonly onChange: () => void;
}

/** One button for each thing that the caller may do with the run now. */
export function Controls({ run, onChange }: Props): VNode | null {
  const [asked, setAsked] = useState<RunAction | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const pressed = useRef(false);
  // Cancel goes away when it is done: a keyboard goes on from the run, not from the top of the page.
  useEffect(() => {
    if (pressed.current && document.activeElement === document.body) document.getElementById('main')?.focus();
  });
  const ask = async (action: RunAction): Promise<void> => {
    if (asked !== null) return;
    setAsked(action);
    pressed.current = true;
    setRefusal(null);
    try {
      const answer = await api.control(run.runId, action);
      if (action === 'retry') location.hash = `#/runs/${encodeURIComponent(answer.runId)}`;
      else onChange();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
      onChange();
    }
    setAsked(null);
  };
  const actions = run.actions ?? [];
  // The button that was pressed keeps its place, and with it the keyboard's focus, when Suspend turns into Resume.
  const buttons = actions.map(
    (action) =>
      html`<button
        key=${action === 'resume' ? 'suspend' : action}
        type="button"
        title=${WORDS[action].title}
        aria-disabled=${asked !== null}
        onClick=${() => void ask(action)}
      >
        ${asked === action ? WORDS[action].asked : WORDS[action].word}
      </button>`,
  );
  if (buttons.length === 0 && refusal === null) return null;
  return html`<div class="controls">
    ${buttons} ${refusal === null ? null : html`<p class="refusal" role="alert">${refusal}</p>`}
  </div>`;
}
