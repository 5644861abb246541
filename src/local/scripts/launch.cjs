// First step of `npm run demo`, `npm start`, `npm test` and friends on a fresh clone. Needs no dependency itself:
// installs what is missing, finds or brings a recent Node, builds, then hands over.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { ensureNode } = require('./ensureNode.cjs');

const root = path.resolve(__dirname, '..', '..', '..');
const bin = path.join(root, 'node_modules', '.bin');
const [mode, ...rest] = process.argv.slice(2);

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Runs a command with our Node first on PATH; returns its exit code. */
function run(command, args, quiet = false) {
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: quiet ? ['ignore', 'ignore', 'inherit'] : 'inherit',
    env,
  });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  return result.status ?? 1;
}

function installed() {
  const marker = path.join(root, 'node_modules', '.package-lock.json');
  if (!fs.existsSync(marker)) return false;
  return fs.statSync(marker).mtimeMs >= fs.statSync(path.join(root, 'package-lock.json')).mtimeMs - 1000;
}

function newest(directory) {
  let time = 0;
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(full) : fs.statSync(full).mtimeMs);
  }
  return time;
}

function build(node) {
  const stamp = path.join(root, 'dist', '.built');
  if (fs.existsSync(stamp) && fs.statSync(stamp).mtimeMs > newest(path.join(root, 'src'))) return;
  console.log('building …');
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (run(node, [tsc, '-p', 'tsconfig.build.json']) !== 0) fail('The build failed.');
  if (run(node, [path.join('src', 'local', 'scripts', 'afterBuild.mjs')]) !== 0) fail('The build failed.');
  fs.writeFileSync(stamp, '');
}

/** A table host × case after the run, where cases ran on both hosts. */
const HOST_TABLE = '--reporter=./test/support/hosts/table.ts';

/** vitest over some projects, then the plain closing line. */
function test(node, projects, moreReporters = []) {
  const results = path.join(root, 'node_modules', '.cache', `vitest-${String(process.pid)}.json`);
  fs.mkdirSync(path.dirname(results), { recursive: true });
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...moreReporters];
  const code = run(node, [vitest, 'run', ...projects.flatMap((name) => ['--project', name]), ...reporters, ...rest]);
  if (!fs.existsSync(results)) fail('0 passed, 1 failed');
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(
    fs.readFileSync(results, 'utf8'),
  );
  fs.rmSync(results);
  // A file that could not even be loaded has no failed test in it, but it failed.
  const failed = numFailedTests > 0 ? numFailedTests : code === 0 ? 0 : Math.max(1, numFailedTestSuites);
  console.log(
    `${String(numPassedTests)} passed, ${String(failed)} failed${numPendingTests > 0 ? `, ${String(numPendingTests)} skipped` : ''}`,
  );
  return code === 0 && failed > 0 ? 1 : code;
}

if (!installed()) {
  console.log('installing packages (first time only) …');
  // npm itself may run on an old Node: its engine warnings are expected here.
  if (run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']) !== 0) fail('npm ci failed; see above.');
}
let node;
try {
  node = ensureNode();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

const FAST = ['unit', 'property', 'contract', 'replay'];
switch (mode) {
  case 'demo':
  case 'start':
    build(node);
    process.exit(run(node, ['--enable-source-maps', path.join('dist', 'local', 'main.js'), mode, ...rest]));
    break;
  case 'build':
    build(node);
    break;
  case 'test':
    build(node);
    process.exit(test(node, [...FAST, 'faults', 'e2e', 'browser']));
    break;
  case 'test:fast':
    process.exit(test(node, FAST));
    break;
  case 'test:engine':
    // The embedded host's half of the suite too: the table compares. Both run the sources, nothing is built but the engine.
    if (rest.length === 0) rest.push('test/engine/', 'test/e2e/hosts/');
    process.exit(test(node, ['engine', 'e2e'], [HOST_TABLE]));
    break;
  case 'test:all':
    build(node);
    process.exit(test(node, [...FAST, 'faults', 'e2e', 'browser', 'engine'], [HOST_TABLE]));
    break;
  case 'bench':
    build(node);
    process.exit(run(node, [path.join('test', 'bench', 'run.ts'), ...rest]));
    break;
  case 'faults':
    process.exit(run(node, [path.join('test', 'faults', 'run.ts'), ...rest]));
    break;
  case 'token':
    build(node);
    process.exit(run(node, [path.join('dist', 'local', 'token', 'main.js'), ...rest]));
    break;
  default:
    fail(`unknown mode ${String(mode)}`);
}
