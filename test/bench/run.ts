/**
 * `npm run bench`: tables, no assertions; machines are noisy, so ratios are taken in one run. Parts are named on the
 * command line (`npm run bench -- items`); all by default.
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { benchItems } from './items.bench.ts';
import { benchMakespan } from './makespan.bench.ts';
import { startProduct } from './product.ts';
import { benchReplay } from './replay.bench.ts';
import { benchScheduler } from './scheduler.bench.ts';
import { benchSurfaces } from './surfaces.bench.ts';

/** Numbers as people read them. */
const rounded = (rows: readonly object[]): readonly object[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? Number(value.toFixed(2)) : value]),
    ),
  );

const PARTS: Readonly<Record<string, { readonly title: string; readonly rows: () => Promise<readonly object[]> }>> = {
  surfaces: { title: 'Interpolation against the plain loop', rows: benchSurfaces },
  makespan: {
    title: 'Makespan against the critical path and against waves, on the embedded host',
    rows: () => benchMakespan(10),
  },
  replay: {
    title: 'Replay of a run by the SDK, window 20',
    rows: async () => {
      await benchReplay(20);
      const rows = [];
      for (const nodes of [50, 200, 300]) rows.push(await benchReplay(nodes));
      return rows;
    },
  },
  scheduler: {
    title: 'Cost of a node beside its work, (wall − ideal) / nodes: no-op tools, window 10, 20 runs, embedded host',
    rows: () => onProduct([10, 50, 200], (product, nodes) => benchScheduler(product, nodes, 20)),
  },
  items: {
    title: 'Cost of an item of a forEach over no-op tools, in lanes, embedded host',
    rows: () => onProduct([100, 1_000, 10_000], benchItems),
  },
};

type Product = Awaited<ReturnType<typeof startProduct>>;
let product: Promise<Product> | undefined;

async function onProduct(
  sizes: readonly number[],
  measure: (product: Product, size: number) => Promise<object>,
): Promise<readonly object[]> {
  product ??= startProduct(10);
  const started = await product;
  const rows = [];
  for (const size of sizes) rows.push(await measure(started, size));
  return rows;
}

/** Measures one part in this process: what is compared with each other is measured side by side. */
async function measurePart(name: string): Promise<void> {
  const part = new Map(Object.entries(PARTS)).get(name);
  if (part === undefined) throw new Error(`no part "${name}"; parts: ${Object.keys(PARTS).join(', ')}`);
  try {
    console.log(`\n${part.title}`);
    console.table(rounded(await part.rows()));
  } finally {
    await (await product)?.stop();
  }
}

const [first, ...others] = process.argv.slice(2);
if (first !== undefined && others.length === 0) {
  await measurePart(first);
  process.exit();
}
// A process can hold one function app: each part gets its own.
for (const name of first === undefined ? Object.keys(PARTS) : [first, ...others]) {
  const { status } = spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
console.log(`${String(cpus().length)} cores, Node ${process.version}`);
