/** Places for the steps of a plan: layers by the longest path from the start, order by the average place of what a step needs. */

export interface Step {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

export interface Place {
  readonly id: string;
  readonly layer: number;
  /** Place within the layer, from 0. */
  readonly row: number;
}

export interface Layout {
  readonly places: ReadonlyMap<string, Place>;
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly layers: number;
  /** Steps in the fullest layer. */
  readonly rows: number;
}

function layersOf(steps: ReadonlyMap<string, Step>): Map<string, number> {
  const layers = new Map<string, number>();
  let open = [...steps.values()];
  // A cycle never becomes ready; the rest is put into one last layer instead of looping.
  for (let layer = 0; open.length > 0; layer += 1) {
    const known = (id: string): boolean => !steps.has(id) || layers.has(id);
    const ready = open.filter((step) => step.dependsOn.every(known));
    for (const step of ready.length > 0 ? ready : open) layers.set(step.id, layer);
    open = ready.length > 0 ? open.filter((step) => !layers.has(step.id)) : [];
  }
  return layers;
}

/** Moves each step as close as it can be to the first step that needs it: short arrows, none behind other boxes. */
function pullTowardsUse(steps: ReadonlyMap<string, Step>, layers: Map<string, number>): void {
  const first = new Map<string, number>();
  const latestFirst = [...steps.values()].sort((a, b) => (layers.get(b.id) ?? 0) - (layers.get(a.id) ?? 0));
  for (const { id, dependsOn } of latestFirst) {
    const own = layers.get(id) ?? 0;
    const layer = Math.max(own, (first.get(id) ?? own + 1) - 1);
    layers.set(id, layer);
    for (const needed of dependsOn) first.set(needed, Math.min(first.get(needed) ?? Infinity, layer));
  }
}

/** Deterministic layered layout of an acyclic graph; edges to unknown steps are left out, a cycle ends in one layer. */
export function layoutSteps(list: readonly Step[]): Layout {
  const steps = new Map(list.map((step) => [step.id, step]));
  const layerOf = layersOf(steps);
  pullTowardsUse(steps, layerOf);
  const layers = Math.max(0, ...[...layerOf.values()].map((layer) => layer + 1));
  const places = new Map<string, Place>();
  let rows = 0;
  for (let layer = 0; layer < layers; layer += 1) {
    const weight = (step: Step): number => {
      const above = step.dependsOn.flatMap((id) => places.get(id)?.row ?? []);
      return above.length === 0 ? 0 : above.reduce((sum, row) => sum + row, 0) / above.length;
    };
    const members = [...steps.values()].filter((step) => layerOf.get(step.id) === layer);
    members.sort((a, b) => weight(a) - weight(b) || (a.id < b.id ? -1 : 1));
    for (const [row, step] of members.entries()) places.set(step.id, { id: step.id, layer, row });
    rows = Math.max(rows, members.length);
  }
  const edges = [...steps.values()].flatMap((step) =>
    [...new Set(step.dependsOn)].filter((id) => steps.has(id)).map((from) => ({ from, to: step.id })),
  );
  return { places, edges, layers, rows };
}
