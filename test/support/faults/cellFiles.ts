/**
 * What the laboratory and the process under test tell each other, as files in one folder, since the process dies often:
 * `<cell>.json` is the cell (its name is the idempotency key of its run), `fired.jsonl` has one line a fault that struck,
 * `<cell>.hits` one line a point that the run came by.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './points.ts';

export interface Fired extends Fault {
  readonly cell: string;
  /** What contained the point: a function's name and, of an activity, its input. */
  readonly functionName: string | null;
  readonly nodeId: string | null;
  readonly item: number | null;
}

/** An operation in the middle of its work when the process died. */
export interface AtWork {
  readonly runId: string;
  readonly place: string;
}

export class CellFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  arm(cell: string, fault: Fault | null): void {
    writeFileSync(join(this.#folder, `${cell}.json`), JSON.stringify({ fault }));
  }

  /** Undefined for a key that is no cell. */
  faultOf(cell: string): { readonly fault: Fault | null } | undefined {
    const file = join(this.#folder, `${cell}.json`);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { fault: Fault | null }) : undefined;
  }

  /** On disk before it returns: the next thing may be the end of the process. */
  fire(fired: Fired): void {
    appendFileSync(join(this.#folder, 'fired.jsonl'), `${JSON.stringify(fired)}\n`);
  }

  fired(cell: string): Fired | undefined {
    return lines(join(this.#folder, 'fired.jsonl'))
      .map((line) => JSON.parse(line) as Fired)
      .find((line) => line.cell === cell);
  }

  /** On disk too, just before the end. */
  die(atWork: readonly AtWork[]): void {
    appendFileSync(join(this.#folder, 'deaths.jsonl'), `${JSON.stringify(atWork)}\n`);
  }

  /** `node#item` → how often a process died in the middle of this operation's work. */
  atWork(runId: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const line of lines(join(this.#folder, 'deaths.jsonl')))
      for (const one of JSON.parse(line) as AtWork[])
        if (one.runId === runId) counts.set(one.place, (counts.get(one.place) ?? 0) + 1);
    return counts;
  }

  hit(cell: string, point: string): void {
    appendFileSync(join(this.#folder, `${cell}.hits`), `${point}\n`);
  }

  /** Point → how often the run came by, in order of the first time. */
  hits(cell: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const point of lines(join(this.#folder, `${cell}.hits`))) counts.set(point, (counts.get(point) ?? 0) + 1);
    return counts;
  }
}

function lines(file: string): string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}
