// Determinism rules for replayed and pure code: ESLint core rules only, so that they need no type information.
const durable = 'Orchestrator code is replayed (O-01):';

/** What replayed or pure code must not touch; each message says what to do instead. */
const restrictedGlobals = [
  ['fetch', 'call out from an activity through src/net'],
  ['setTimeout', 'yield a durable timer (verb `time`)'],
  ['setInterval', 'yield durable timers (verb `time`)'],
  ['setImmediate', 'yield a durable task'],
  ['queueMicrotask', 'yield a durable task'],
  ['crypto', 'take ids and seeds as parameters; hash with src/plan/sha256.ts'],
  ['performance', 'take the time as a parameter'],
  ['process', 'take configuration from the warrant; only src/config reads the environment'],
  ['console', 'return data and let an activity log it'],
  ['WeakRef', 'garbage collection is not deterministic'],
  ['FinalizationRegistry', 'garbage collection is not deterministic'],
  ['Buffer', 'use Uint8Array and TextEncoder'],
].map(([name, what]) => ({ name, message: `${durable} ${what}.` }));

const restrictedSyntax = [
  ['NewExpression[callee.name="Date"][arguments.length=0]', 'take the time as a parameter'],
  ['CallExpression[callee.name="Date"]', 'take the time as a parameter'],
  [
    'FunctionDeclaration[async=true], FunctionExpression[async=true], ArrowFunctionExpression[async=true]',
    'no async functions; yield durable tasks from a generator',
  ],
  ['AwaitExpression', 'no await; yield durable tasks from a generator'],
  ['ForInStatement', 'for…in order depends on the object; use Object.keys and sort'],
  ['CallExpression[callee.property.name=/^toLocale/]', 'locale output depends on the machine'],
  ['CallExpression[callee.property.name="localeCompare"]', 'locale order depends on the machine; compare with < and >'],
].map(([selector, what]) => ({ selector, message: `${durable} ${what}.` }));

export const determinismRules = {
  'no-restricted-globals': ['error', ...restrictedGlobals],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: `${durable} take the time as a parameter.` },
    { object: 'Math', property: 'random', message: `${durable} take a seed as a parameter.` },
  ],
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        {
          group: ['node:*', 'durable-functions', '@azure/*'],
          message: 'Pure folders import only zod, canonicalize and each other (docs/architecture.md).',
        },
      ],
    },
  ],
  'no-restricted-syntax': ['error', ...restrictedSyntax],
};
