import type { VNode } from 'preact';
import type { PlanNode, RunNode } from './api.ts';
import { html } from './html.ts';
import { layoutSteps } from './layout.ts';
import { nodeLook, stepLook } from './states.ts';

const [BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y] = [142, 46, 34, 16];

const short = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Drawing of the plan: one box a step with its state, arrows from what it needs. Left to right. */
export function Graph({ plan, nodes }: { plan: readonly PlanNode[]; nodes: readonly RunNode[] }): VNode | null {
  if (plan.length === 0) return null;
  const { places, edges, layers, rows } = layoutSteps(plan.map(({ id, dependsOn = [] }) => ({ id, dependsOn })));
  const known = new Map(nodes.map((node) => [node.id, node]));
  const inLayer = new Map<number, number>();
  for (const { layer } of places.values()) inLayer.set(layer, (inLayer.get(layer) ?? 0) + 1);
  const width = layers * (BOX_WIDTH + GAP_X) - GAP_X + 4;
  const height = rows * (BOX_HEIGHT + GAP_Y) - GAP_Y + 4;
  const at = (id: string): [number, number] => {
    const { layer = 0, row = 0 } = places.get(id) ?? {};
    const free = (rows - (inLayer.get(layer) ?? 1)) * (BOX_HEIGHT + GAP_Y);
    return [layer * (BOX_WIDTH + GAP_X) + 2, row * (BOX_HEIGHT + GAP_Y) + free / 2 + 2];
  };
  const arrows = edges.map(({ from, to }) => {
    const [x, y] = at(from);
    const [u, v] = at(to);
    const [x1, y1, y2] = [x + BOX_WIDTH, y + BOX_HEIGHT / 2, v + BOX_HEIGHT / 2];
    const bend = Math.max(14, (u - x1) / 2);
    return html`<path
      class="edge"
      d="M${x1},${y1} C${x1 + bend},${y1} ${u - bend},${y2} ${u - 7},${y2}"
      marker-end="url(#arrow)"
    />`;
  });
  const boxes = plan.map(({ id, tool }) => {
    const [x, y] = at(id);
    const node = known.get(id);
    const state = node === undefined ? nodeLook('pending') : stepLook(node);
    const items = node?.items;
    const count = items === undefined ? '' : `${items.completed}/${items.total}`;
    return html`<g class=${`box ${state.tone}`} transform=${`translate(${x},${y})`}>
      <title>${`${id}: ${tool}, ${state.word}${count === '' ? '' : `, ${count} items`}`}</title>
      <rect width=${BOX_WIDTH} height=${BOX_HEIGHT} rx="7" />
      <text x="12" y="20" class="id">${short(id, 15)}</text>
      <text x="12" y="36" class="tool">${short(tool, count === '' ? 20 : 19 - count.length)}</text>
      ${count === '' ? null : html`<text x=${BOX_WIDTH - 12} y="36" class="tool count" text-anchor="end">${count}</text>`}
      <text x=${BOX_WIDTH - 12} y="20" class="sign" text-anchor="end">${state.sign}</text>
    </g>`;
  });
  return html`<div
    class="scroll"
    tabindex="0"
    role="group"
    aria-label="Drawing of the plan; the list of steps holds the same information"
  >
    <svg class="graph" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} aria-hidden="true">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0,0 L8,4 L0,8 Z" class="arrow" />
        </marker>
      </defs>
      ${arrows}${boxes}
    </svg>
  </div>`;
}
