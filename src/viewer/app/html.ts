import htm from 'htm';
import { h, type VNode } from 'preact';

/** Tagged template → preact nodes. Values become text nodes or attributes, never markup. */
export const html = htm.bind(h) as unknown as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
