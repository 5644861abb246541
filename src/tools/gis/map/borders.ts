/**
 * Coast and country borders (Natural Earth 1:10m through the package world-atlas, public domain) near the map, as plain
 * lines. There is no basemap: a map must open without network.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Box } from './mercator.ts';

/** Origin and licence; the map puts the name of the layer before it. */
export const BORDERS_SOURCE = 'Natural Earth 1:10m (public domain)';

export type Line = readonly (readonly [number, number])[];

const topology = z.object({
  type: z.literal('Topology'),
  transform: z.object({ scale: z.tuple([z.number(), z.number()]), translate: z.tuple([z.number(), z.number()]) }),
  // Half a million pairs of our own file: their shape is not checked one by one.
  arcs: z.custom<readonly (readonly (readonly number[])[])[]>(Array.isArray),
});

/** Built: a copy beside the viewer's bundle. From the sources: the development package itself. */
function bordersFile(): string {
  return import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve('world-atlas/countries-10m.json')
    : fileURLToPath(new URL('../../../viewer/borders.json', import.meta.url));
}

let decoded: Promise<readonly Line[]> | undefined;

async function decode(): Promise<readonly Line[]> {
  const { arcs, transform } = topology.parse(JSON.parse(await readFile(bordersFile(), 'utf8')));
  const [scaleX, scaleY] = transform.scale;
  const [moveX, moveY] = transform.translate;
  // TopoJSON 1.0 §2.1.4: arcs are quantised and delta-encoded.
  return arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map((delta): readonly [number, number] => {
      x += delta[0] ?? 0;
      y += delta[1] ?? 0;
      return [x * scaleX + moveX, y * scaleY + moveY];
    });
  });
}

/** Four decimals of a degree are 11 m, a tenth of what a map at 1:10 million knows. */
const rounded = (line: Line): Line => line.map(([lon, lat]) => [Number(lon.toFixed(4)), Number(lat.toFixed(4))]);

/** Splits a line into the runs that touch the box (each segment by its own box: a little is kept outside). */
function clip(line: Line, [west, south, east, north]: Box): Line[] {
  const runs: (readonly [number, number])[][] = [];
  let run: (readonly [number, number])[] = [];
  for (let i = 1; i < line.length; i += 1) {
    const [a, b] = [line[i - 1], line[i]];
    if (!a || !b) continue;
    const outside =
      Math.max(a[0], b[0]) < west ||
      Math.min(a[0], b[0]) > east ||
      Math.max(a[1], b[1]) < south ||
      Math.min(a[1], b[1]) > north;
    if (outside) {
      if (run.length > 0) runs.push(run);
      run = [];
    } else {
      if (run.length === 0) run.push(a);
      run.push(b);
    }
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

/** Lines inside a box of degrees, at most `maxPoints` points in all (a larger area gets every n-th point). */
export async function bordersNear(box: Box, maxPoints = 12_000): Promise<Line[]> {
  decoded ??= decode();
  const lines = (await decoded).flatMap((line) => clip(line, box));
  const points = lines.reduce((sum, line) => sum + line.length, 0);
  const every = Math.max(1, Math.ceil(points / maxPoints));
  return lines.map((line) => rounded(line.filter((_, i) => i % every === 0 || i === line.length - 1)));
}
