/**
 * `npm run compat [-- 12.4.0 …]`: the same build in each supported version of Grafana (tests/hosts), and in the one that it is
 * built against. In each the browser tests marked @hosts, at least one for each page and panel; in the others also types and
 * imports.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { readCounts, settle, totalOf } from './counts.mjs';
import { readFailures } from './failures.mjs';
import {
  allVersions,
  buildHostOn,
  checkImports,
  checkTypes,
  folderOf,
  installLibraries,
  ownVersion,
} from './hosts.mjs';
import { heading, main, Problem, ROOT, run, say, timed } from './run.mjs';
import { setup } from './setup.mjs';

/** A check counts as one test. */
const one = (code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });

async function browserTests(node, version) {
  const report = path.join(ROOT, 'artifacts', `compat-${version}.json`);
  rmSync(report, { force: true });
  const env = {
    ...process.env,
    NODEBELL_REPORT: report,
    NODEBELL_LIBRARIES: folderOf(version),
  };
  const output = path.join('test-results', `grafana-${version}`);
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--grep', '@hosts', '--output', output];
  const code = await run(node, args, { env });
  readFailures(report).forEach(say);
  return settle(readCounts(report), code);
}

async function testIn(node, version) {
  heading(`Grafana ${version}`);
  const checks = version === ownVersion() ? [] : [checkTypes, checkImports];
  const [, ...codes] = await Promise.all([buildHostOn(node, version), ...checks.map((check) => check(node, version))]);
  const counts = codes.map(one);
  counts.push(await browserTests(node, version));
  return counts;
}

await main(async () => {
  const requested = process.argv.slice(2);
  const unknown = requested.find((version) => !allVersions().includes(version));
  if (unknown !== undefined) {
    throw new Problem(`No version ${unknown} in tests/hosts; available: ${allVersions().join(', ')}.`);
  }
  const node = await setup();
  await ensureChromium(node);
  mkdirSync(path.join(ROOT, 'artifacts'), { recursive: true });
  await build(node);
  const versions = requested.length > 0 ? requested : allVersions();
  // The own version needs no libraries, so the others are installed meanwhile.
  versions.sort((a, b) => Number(b === ownVersion()) - Number(a === ownVersion()));
  const installed = versions.map((version) => installLibraries(version).catch((error) => error));
  const counts = [];
  for (const [index, version] of versions.entries()) {
    try {
      const error = await installed[index];
      if (error) {
        throw error;
      }
      counts.push(...(await timed(`Grafana ${version}`, () => testIn(node, version))));
    } catch (error) {
      // A version that cannot be tested is a failure; the others still run.
      if (!(error instanceof Problem)) {
        throw error;
      }
      say(error.message);
      counts.push({ passed: 0, failed: 1 });
    }
  }
  const { passed, failed } = totalOf(counts);
  heading('Result');
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
});
