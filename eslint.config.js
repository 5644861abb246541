import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const PURE = ['src/plan/**', 'src/catalog/**', 'src/validation/**', 'src/policy/**', 'src/orchestration/**', 'src/verification/**'];
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
  ['FunctionDeclaration[async=true], FunctionExpression[async=true], ArrowFunctionExpression[async=true]', 'no async functions; yield durable tasks from a generator'],
  ['AwaitExpression', 'no await; yield durable tasks from a generator'],
  ['ForInStatement', 'for…in order depends on the object; use Object.keys and sort'],
  ['CallExpression[callee.property.name=/^toLocale/]', 'locale output depends on the machine'],
  ['CallExpression[callee.property.name="localeCompare"]', 'locale order depends on the machine; compare with < and >'],
].map(([selector, what]) => ({ selector, message: `${durable} ${what}.` }));

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.local/**', 'coverage/**', 'test/engine/host/**', 'src/local/sample/data/**'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './src/viewer/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A stale exception must not stay behind.
      'no-warning-comments': 'off',
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config/**', 'src/local/**', 'src/viewer/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config reads the environment; take settings as a parameter.' },
      ],
      'no-restricted-globals': ['error', { name: 'fetch', message: 'src/net is the only way out (design §6).' }],
    },
  },
  { files: ['src/net/**/*.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: PURE.map((glob) => `${glob}/*.ts`),
    rules: {
      'no-restricted-globals': ['error', ...restrictedGlobals],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: `${durable} take the time as a parameter.` },
        { object: 'Math', property: 'random', message: `${durable} take a seed as a parameter.` },
      ],
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*', 'durable-functions', '@azure/*'], message: 'Pure folders import only zod, canonicalize and each other (design §1).' }] },
      ],
      'no-restricted-syntax': ['error', ...restrictedSyntax],
    },
  },
  {
    // The two doors of the pure house: hashing, and the one file that knows the SDK.
    files: ['src/plan/sha256.ts', 'src/orchestration/durableBinding.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      'no-console': 'off',
    },
  },
  { files: ['src/local/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.cjs', '**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: { require: 'readonly', module: 'writable', process: 'readonly', console: 'readonly', __dirname: 'readonly', setTimeout: 'readonly', clearTimeout: 'readonly', URL: 'readonly', Buffer: 'readonly', fetch: 'readonly', setInterval: 'readonly', clearInterval: 'readonly' },
    },
  },
);
