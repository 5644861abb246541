import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppLoadError } from './types.ts';
import type { LoadOptions } from './types.ts';

interface AppPackage {
  readonly main?: string;
  readonly isModule: boolean;
}

/** Reads the app's own package.json; unreadable counts as empty, with a warning, as in the real worker. */
function readPackage(options: LoadOptions): AppPackage {
  const path = join(options.appDirectory, 'package.json');
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const record: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
    const isModule = record['type'] === 'module';
    return typeof record['main'] === 'string' ? { main: record['main'], isModule } : { isModule };
  } catch (error) {
    options.log(
      'warning',
      'system',
      `package.json of the app can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { isModule: false };
  }
}

function isGlob(pattern: string): boolean {
  return /[*?[\]{}!]/.test(pattern);
}

function matchMain(appDirectory: string, main: string): string[] {
  if (!isGlob(main)) {
    const file = resolve(appDirectory, main);
    if (!existsSync(file)) {
      throw new AppLoadError(
        'NO_ENTRY_FILES',
        `package.json names the file "${main}" as main, and it does not exist. Build the app first.`,
      );
    }
    return [file];
  }
  const files = globSync(main, { cwd: appDirectory })
    .map((file) => resolve(appDirectory, file))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (files.length === 0) {
    throw new AppLoadError('NO_ENTRY_FILES', `"${main}" (main in package.json) matches no file. Build the app first.`);
  }
  return files;
}

/**
 * Loads the entry files one after another. `.mjs` and `.mts` are imported, `.cjs` and `.cts` required, anything else
 * by the `type` of the app root's package.json. Throws AppLoadError `NO_ENTRY_FILES` or `ENTRY_FILE_FAILED`.
 */
export async function loadEntryFiles(options: LoadOptions): Promise<readonly string[]> {
  const pkg = readPackage(options);
  const { appDirectory } = options;
  if (options.entryFiles === undefined && pkg.main === undefined) {
    throw new AppLoadError(
      'NO_ENTRY_FILES',
      'package.json of the app has no main; name the files that register functions.',
    );
  }
  const files =
    options.entryFiles?.map((file) => (isAbsolute(file) ? file : resolve(appDirectory, file))) ??
    matchMain(appDirectory, pkg.main ?? '');
  if (files.length === 0) throw new AppLoadError('NO_ENTRY_FILES', 'The list of entry files is empty.');
  const require = createRequire(join(appDirectory, 'package.json'));
  for (const file of files) {
    const extension = extname(file);
    const asModule = extension.startsWith('.m') || (!extension.startsWith('.c') && pkg.isModule);
    try {
      if (asModule) await import(pathToFileURL(file).href);
      else require(file);
    } catch (error) {
      if (error instanceof AppLoadError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new AppLoadError('ENTRY_FILE_FAILED', `Worker was unable to load entry point "${file}": ${message}`, {
        cause: error,
      });
    }
  }
  return files;
}
