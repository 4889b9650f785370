/**
 * Bundles each thread of the bridge into one file, for vitest: the tests start and end thousands of them, and loading the sources takes most
 * of the CPU time of a start.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'vitest/config';
import { FOR_NODE } from '../build.ts';

/** Cache folder of the tests, which `npm ci` removes. */
export const TEST_CACHE = path.join(import.meta.dirname, '../../node_modules/.cache/nodebell/tests');
const SRC = import.meta.dirname;
const THREADS = [
  'writerThread',
  'readerThread',
  'platform/storage/sqlite/integrityThread',
  'intake/mapping/mappingProcess',
];
/** The address of a thread in the sources. */
const ADDRESS = /new URL\(`\.\/(\w+(?:Thread|Process))\$\{extname\(import\.meta\.url\)\}`, import\.meta\.url\)/;

async function bundleThreads(): Promise<void> {
  const { outputFiles } = await build({
    ...FOR_NODE,
    entryPoints: THREADS.map((name) => path.join(SRC, `${name}.ts`)),
    entryNames: '[name]',
    outdir: TEST_CACHE,
    write: false,
    outExtension: { '.js': '.mjs' },
    banner: { js: `const require=process.getBuiltinModule('node:module').createRequire(${JSON.stringify(SRC)}+'/');` },
  });
  mkdirSync(TEST_CACHE, { recursive: true });
  for (const { path: file, text } of outputFiles) {
    // Another run may be using the file.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      const part = `${file}.${process.pid}`;
      writeFileSync(part, text);
      renameSync(part, file);
    }
  }
}

let bundled: Promise<void> | undefined;

/** Makes the tests of a project start the bundled threads. */
export const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  // At each run, not when a file is transformed: vitest keeps transformed files between runs.
  async configResolved() {
    bundled ??= bundleThreads();
    await bundled;
  },
  transform(code, id) {
    const name = id.startsWith(SRC) ? ADDRESS.exec(code)?.[1] : undefined;
    if (name === undefined) {
      return undefined;
    }
    const url = pathToFileURL(path.join(TEST_CACHE, `${name}.mjs`)).href;
    return { code: code.replace(ADDRESS, `new URL(${JSON.stringify(url)})`), map: null };
  },
};
