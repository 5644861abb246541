import { afterEach, describe, expect, it } from 'vitest';
import { AppLoadError, loadApp } from '../../../src/local/host/core/loadApp.ts';
import type { LoadedApp } from '../../../src/local/host/core/loadApp.ts';
import { makeApp, packageJson } from './coreFixture.ts';
import type { AppFixture } from './coreFixture.ts';

const apps: AppFixture[] = [];
function fixture(files: Readonly<Record<string, string>>, options: { link?: boolean } = {}): AppFixture {
  const app = makeApp(files, options);
  apps.push(app);
  return app;
}
function load(app: AppFixture, entryFiles?: readonly string[]): Promise<LoadedApp> {
  const base = { appDirectory: app.directory, log: app.log };
  return loadApp(entryFiles === undefined ? base : { ...base, entryFiles });
}
async function refusal(promise: Promise<unknown>): Promise<AppLoadError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppLoadError);
  return error as AppLoadError;
}

afterEach(() => {
  for (const app of apps.splice(0)) app.remove();
});

const hello = (name: string): string => `
  import { app } from '@azure/functions';
  app.get('${name}', { route: 'hi/{who}', handler: async (request) => ({ body: 'hi ' + request.params.who }) });`;

describe('loading an app', () => {
  it('loads an ESM app by the glob in main, in sorted order', async () => {
    const app = fixture({ 'package.json': packageJson('out/*.js'), 'out/b.js': hello('b'), 'out/a.js': hello('a') });
    const loaded = await load(app);
    expect(loaded.functions.map((f) => f.name)).toEqual(['a', 'b']);
    const [first] = loaded.functions;
    expect(first?.trigger.type).toBe('httpTrigger');
    expect(first?.trigger['route']).toBe('hi/{who}');
    expect(first?.bindings.get('$return')?.direction).toBe('out');
    expect(loaded.capabilities['RpcHttpBodyOnly']).toBe('true');
    expect(loaded.capabilities['HttpUri']).toBeUndefined();
  });

  it('loads a CommonJS app and finds the durable client input by type', async () => {
    const app = fixture({
      'package.json': packageJson('main.js', 'commonjs'),
      'main.js': `const df = require('durable-functions');
        df.app.orchestration('makePlan', function* () { return 1; });
        df.app.activity('fetch', { handler: () => 1 });
        df.app.client.http('start', { handler: () => ({ status: 202 }) });`,
    });
    const loaded = await load(app);
    expect(loaded.functions.map((f) => [f.name, f.trigger.type])).toEqual([
      ['makePlan', 'orchestrationTrigger'],
      ['fetch', 'activityTrigger'],
      ['start', 'httpTrigger'],
    ]);
    const start = loaded.functions[2];
    expect(start?.clientInputs).toHaveLength(1);
    expect(start?.bindings.get(start.clientInputs[0] ?? '')?.type).toBe('durableClient');
  });

  it.each(['entry.ts', 'entry.mts', 'entry.mjs'])('loads %s named instead of main', async (name) => {
    const typed = name.endsWith('ts') ? 'const n: number = 1; void n;' : '';
    const app = fixture({ 'package.json': packageJson(undefined), [name]: `${hello('typed')}\n${typed}` });
    const loaded = await load(app, [name]);
    expect(loaded.functions.map((f) => f.name)).toEqual(['typed']);
  });

  it('loads .cjs in a module app and .mjs in a CommonJS app', async () => {
    const cjs = `const { app } = require('@azure/functions'); app.get('c', { handler: () => ({}) });`;
    const app = fixture({ 'package.json': packageJson('*.{cjs,mjs}', 'commonjs'), 'a.mjs': hello('m'), 'b.cjs': cjs });
    expect((await load(app)).functions.map((f) => f.name)).toEqual(['m', 'c']);
  });
});

describe('an app that can not be loaded says why', () => {
  it('a glob without match', async () => {
    const error = await refusal(load(fixture({ 'package.json': packageJson('dist/functions/*.js') })));
    expect(error.code).toBe('NO_ENTRY_FILES');
    expect(error.message).toContain('dist/functions/*.js');
  });

  it('a plain main that does not exist', async () => {
    const error = await refusal(load(fixture({ 'package.json': packageJson('gone.js') })));
    expect(error.code).toBe('NO_ENTRY_FILES');
    expect(error.message).toContain('does not exist');
  });

  it('no package.json at all: a warning and a refusal', async () => {
    const app = fixture({});
    expect((await refusal(load(app))).code).toBe('NO_ENTRY_FILES');
    expect(app.lines.map((line) => line.level)).toEqual(['warning']);
  });

  it('a file that throws, with its name and its message; start hooks still run', async () => {
    const app = fixture({
      'package.json': packageJson('*.js'),
      'a.js': `import { app } from '@azure/functions';
        app.hook.appStart(() => { globalThis.coreStartHookRan = true; });
        app.get('a', { handler: () => ({}) });`,
      'b.js': `throw new Error('no disk');`,
    });
    const error = await refusal(load(app));
    expect(error.code).toBe('ENTRY_FILE_FAILED');
    expect(error.message).toMatch(/^Worker was unable to load entry point ".*b\.js": no disk$/);
    expect((globalThis as Record<string, unknown>)['coreStartHookRan']).toBe(true);
  });

  it('one name twice, ignoring case, even when the app swallows the error', async () => {
    const app = fixture({
      'package.json': packageJson('*.js'),
      'a.js': `${hello('Same')}\ntry { app.get('same', { handler: () => ({}) }); } catch {}`,
    });
    const error = await refusal(load(app));
    expect(error.code).toBe('DUPLICATE_FUNCTION');
    expect(error.message).toContain('"same"');
  });

  it('files that register nothing', async () => {
    expect((await refusal(load(fixture({ 'package.json': packageJson('a.js'), 'a.js': 'export {};' })))).code).toBe(
      'NO_FUNCTIONS',
    );
  });

  it('a start hook that throws', async () => {
    const text = `${hello('h')}\napp.hook.appStart(() => { throw new Error('no key'); });`;
    const error = await refusal(load(fixture({ 'package.json': packageJson('a.js'), 'a.js': text })));
    expect(error.code).toBe('APP_START_HOOK_FAILED');
    expect(error.message).toContain('no key');
  });

  it('two loads at once', async () => {
    const app = fixture({ 'package.json': packageJson('a.js'), 'a.js': hello('x') });
    const first = load(app);
    expect((await refusal(load(app))).code).toBe('LOAD_IN_PROGRESS');
    expect((await first).functions).toHaveLength(1);
  });

  it('a registration after the start', async () => {
    const app = fixture({
      'package.json': packageJson('a.js'),
      'a.js': `${hello('early')}\nglobalThis.coreLate = () => app.get('late', { handler: () => ({}) });`,
    });
    await load(app);
    const late = (globalThis as Record<string, unknown>)['coreLate'] as () => void;
    expect(late).toThrow('after the app had started');
  });
});
