import { describe, expect, it } from 'vitest';
import type { RegisteredFunction } from '../../../src/local/host/core/loadApp.ts';
import { buildRoutes, findRoute, type HttpRoute } from '../../../src/local/host/http/routes.ts';
import { matchTemplate, parseTemplate } from '../../../src/local/host/http/routeTemplate.ts';

const match = (template: string, path: string): unknown => {
  const params = matchTemplate(parseTemplate(template), path);
  return params === undefined ? undefined : Object.fromEntries(params);
};

describe('route templates', () => {
  it.each([
    ['items', '/items', {}],
    ['items', '/ITEMS/', {}],
    ['items', '/items/1', undefined],
    ['items/{id}', '/items/Abc%20d', { id: 'Abc d' }],
    ['items/{id}', '/items/a%2Fb', { id: 'a%2Fb' }],
    ['items/{id}', '/items', undefined],
    ['items/{id?}', '/items', {}],
    ['items/{id=7}', '/items', { id: '7' }],
    ['items/{id:int}', '/items/-12', { id: '-12' }],
    ['items/{id:int}', '/items/12345678901', undefined],
    ['items/{id:int:min(5)}', '/items/4', undefined],
    ['items/{id:range(1,3)?}', '/items/3', { id: '3' }],
    ['items/{id:guid}', '/items/0f8fad5b-d9cb-469f-a165-70867728950e', { id: '0f8fad5b-d9cb-469f-a165-70867728950e' }],
    ['items/{id:guid}', '/items/7', undefined],
    ['items/{x:bool}', '/items/TRUE', { x: 'TRUE' }],
    ['items/{x:alpha:length(2,3)}', '/items/abc', { x: 'abc' }],
    ['items/{x:regex(^a/?b$)}', '/items/ab', { x: 'ab' }],
    ['files/{*rest}', '/files/a/b', { rest: 'a/b' }],
    ['files/{*rest}', '/files', {}],
    ['files/{*rest}', '/file', undefined],
    ['items/{id}', '/items/%E0%A4%A', undefined],
  ])('%s against %s', (template, path, expected) => {
    expect(match(template, path)).toEqual(expected);
  });

  it('refuses what it does not know', () => {
    expect(() => parseTemplate('a/{x:strange}')).toThrow(/constraint 'strange'/);
    expect(() => parseTemplate('a-{x}')).toThrow(/mixes text and parameters/);
  });
});

function fn(name: string, trigger: Record<string, unknown>): RegisteredFunction {
  const binding = { type: 'httpTrigger', direction: 'in' as const, ...trigger };
  return { name, id: name, bindings: new Map([['t', binding]]), triggerName: 't', trigger: binding, clientInputs: [] };
}

describe('routing', () => {
  const log: string[] = [];
  const build = (functions: RegisteredFunction[], prefix = 'api', settings = {}): HttpRoute[] =>
    buildRoutes(functions, prefix, settings, (_level, message, name) => void log.push(`${name ?? ''}: ${message}`));

  it('takes the first match in order of registration, and the next when the method differs', () => {
    const routes = build([
      fn('any', { route: 'x/{id}', methods: ['GET'] }),
      fn('exact', { route: 'x/one' }),
      fn('post', { route: 'x/{id}', methods: ['POST'] }),
    ]);
    expect(findRoute(routes, 'GET', '/api/x/one')?.route.fn.name).toBe('any');
    expect(findRoute(routes, 'POST', '/api/x/one')?.route.fn.name).toBe('exact');
    expect(findRoute(routes, 'DELETE', '/api/x/one')).toBeUndefined();
  });

  it('uses the function name without a route, and no prefix when that is empty', () => {
    expect(findRoute(build([fn('hello', {})], ''), 'GET', '/hello')).toBeDefined();
    expect(findRoute(build([fn('hello', {})], ''), 'GET', '/api/hello')).toBeUndefined();
  });

  it('resolves settings in routes; names what it cannot serve and serves the rest', () => {
    const routes = build(
      [
        fn('a', { route: '%BASE%/x' }),
        fn('b', { route: '%NONE%' }),
        fn('c', { route: 'admin/x' }),
        fn('d', { route: 'runtime' }),
        fn('e', { authLevel: 'strange' }),
      ],
      'api',
      { BASE: 'v1' },
    );
    expect(routes.map((r) => r.fn.name)).toEqual(['a']);
    expect(findRoute(routes, 'GET', '/api/v1/x')).toBeDefined();
    expect(log.join('\n')).toMatch(/b: .*NONE.*\nc: .*reserved.*\nd: .*reserved.*\ne: .*strange/);
  });

  it('leaves out a disabled function', () => {
    expect(build([fn('a', {})], 'api', { 'AzureWebJobs.a.Disabled': 'true' })).toEqual([]);
  });
});
