import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface LogLine {
  readonly level: string;
  readonly category: string;
  readonly message: string;
  readonly functionName: string | undefined;
}

export interface AppFixture {
  readonly directory: string;
  readonly lines: LogLine[];
  readonly log: (level: string, category: string, message: string, functionName?: string) => void;
  remove(): void;
}

/** Writes a throw-away app; its node_modules is a link to ours, so that app and SDK share one library copy. */
export function makeApp(files: Readonly<Record<string, string>>, options: { link?: boolean } = {}): AppFixture {
  const directory = mkdtempSync(join(tmpdir(), 'core-app-'));
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  if (options.link !== false)
    symlinkSync(resolve(import.meta.dirname, '../../../node_modules'), join(directory, 'node_modules'), 'dir');
  const lines: LogLine[] = [];
  return {
    directory,
    lines,
    log: (level, category, message, functionName) => lines.push({ level, category, message, functionName }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** package.json text of a fixture app. */
export function packageJson(main: string | undefined, type: 'module' | 'commonjs' = 'module'): string {
  return JSON.stringify({ name: 'fixture', type, ...(main === undefined ? {} : { main }) });
}
