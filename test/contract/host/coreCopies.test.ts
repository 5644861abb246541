import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { AppLoadError, loadApp } from '../../../src/local/host/core/loadApp.ts';
import { makeApp, packageJson } from './coreFixture.ts';

const app = makeApp({
  'package.json': packageJson('*.cjs', 'commonjs'),
  'a.cjs': `require('@azure/functions').app.get('a', { handler: () => ({}) });`,
  'b.cjs': `require('./own/@azure/functions').app.get('b', { handler: () => ({}) });`,
});
afterAll(() => app.remove());

it('two copies of the library are refused with both places', async () => {
  const require = createRequire(import.meta.url);
  const library = dirname(dirname(realpathSync(require.resolve('@azure/functions'))));
  const copy = join(app.directory, 'own/@azure/functions');
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(library, copy, { recursive: true });
  const error: unknown = await loadApp({ appDirectory: app.directory, log: app.log }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppLoadError);
  expect((error as AppLoadError).code).toBe('TWO_LIBRARY_COPIES');
  expect((error as AppLoadError).message).toContain(join('own', '@azure', 'functions'));
});
