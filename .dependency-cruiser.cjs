const PURE = '^src/(plan|catalog|validation|policy|orchestration|verification)/';
const PURE_DOORS = '^src/(plan/sha256|orchestration/durableBinding)\\.ts$';

/** Folder rules of the house (docs/architecture.md). Each comment says what to do instead. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Break the cycle: move what both need into a third file.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'pure-imports-pure',
      severity: 'error',
      comment: 'Pure folders import only zod, canonicalize and each other: pass what you need as a parameter.',
      from: { path: PURE, pathNot: PURE_DOORS },
      to: { pathNot: [PURE, 'node_modules/(zod|canonicalize)/'] },
    },
    {
      name: 'no-local-in-product',
      severity: 'error',
      comment: 'src/local is never deployed: load it dynamically from the composition root in development only.',
      from: { path: '^src/', pathNot: '^src/local/' },
      to: { path: '^src/local/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'functions-only-register',
      severity: 'error',
      comment: 'src/functions holds trigger registrations: nobody imports it.',
      from: { path: '^src/', pathNot: '^src/functions/' },
      to: { path: '^src/functions/' },
    },
    {
      name: 'env-in-config',
      severity: 'error',
      comment: 'HTTP clients live in src/net and src/artifacts (storage SDK) only.',
      from: { path: '^src/', pathNot: '^src/(net|artifacts|local)/' },
      to: { path: 'node_modules/(undici|axios)/' },
    },
    {
      name: 'sqlite-in-ledger',
      severity: 'error',
      comment: 'SQL lives in the ledger stores and the embedded host.',
      from: { path: '^src/', pathNot: '^src/(ledger/sqlite|local)/' },
      to: { path: '^(node:)?sqlite$' },
    },
    {
      name: 'tools-no-ledger',
      severity: 'error',
      comment: 'A tool gets its context from the node activity; it never reaches the ledger.',
      from: { path: '^src/tools/' },
      to: { path: '^src/(ledger|activities|runs|functions|orchestration)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
