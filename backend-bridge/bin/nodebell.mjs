#!/usr/bin/env node
/**
 * Runs the command line with a Node that knows its TypeScript: this one, else the one that came as a package. What is installed
 * has the built one only: Node takes no types out below node_modules.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const SOURCE = new URL('nodebell.ts', import.meta.url);
const SCRIPT = existsSync(SOURCE) ? SOURCE : new URL('../dist/bin/nodebell.js', import.meta.url);
const { arch, argv, platform, versions } = process;

/** scripts/setup.mjs looks in the same packages. */
function packagedNode() {
  const require = createRequire(import.meta.url);
  for (const name of [`node-${platform === 'win32' ? 'win' : platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    try {
      return join(dirname(require.resolve(`${name}/package.json`)), 'bin', platform === 'win32' ? 'node.exe' : 'node');
    } catch {
      // Not for this platform, or not installed.
    }
  }
  return undefined;
}

function runWith(node) {
  const { error, signal, status } = spawnSync(node, [fileURLToPath(SCRIPT), ...argv.slice(2)], { stdio: 'inherit' });
  if (error) {
    console.error(`nodebell: ${node} cannot be run: ${error.message}`);
  }
  // 128 and the number would be the shell's way; which signal it was does not matter to anybody here.
  return status ?? (signal ? 130 : 2);
}

if (Number(versions.node.split('.')[0]) >= NEEDED) {
  await import(SCRIPT.href);
} else {
  const node = packagedNode();
  if (node) {
    process.exitCode = runWith(node);
  } else {
    console.error(
      `nodebell needs Node ${NEEDED} or newer; this is ${versions.node}. Install it, or run npm install first.`
    );
    process.exitCode = 2;
  }
}
