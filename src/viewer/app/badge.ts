import type { VNode } from 'preact';
import { html } from './html.ts';
import type { StateLook } from './states.ts';

/** A state with its sign, its word and its tone. */
export const Badge = ({ look }: { look: StateLook }): VNode =>
  html`<span class=${`badge ${look.tone}`}><span aria-hidden="true">${look.sign}</span> ${look.word}</span>`;
