/**
 * Packs the current commit twice, in two folders, and compares the archives: `node scripts/reproducible.mjs`. The first folder is a fresh
 * clone, in which `npm run package` installs everything. Its plugin is checked as the plugin catalog does. Prints one line as the tests do,
 * and their SHA-256.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { validate } from './catalog.mjs';
import { main, Problem, ROOT, say } from './run.mjs';
import { setup } from './setup.mjs';

function must(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) {
    throw new Problem(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
  return stdout;
}

/** Copies by hard links where possible: nothing writes into the packages. */
function copy(from, to) {
  if (spawnSync('cp', ['-al', from, to]).status !== 0) {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

/** Only files of the commit. @returns {name: text} of each checksum */
async function packedIn(folder, commit, node, isFresh) {
  must('git', ['clone', '--quiet', '--no-hardlinks', ROOT, folder]);
  must('git', ['checkout', '--quiet', commit], { cwd: folder });
  for (const modules of ['node_modules', 'backend-bridge/node_modules', 'standalone/node_modules']) {
    if (!isFresh && existsSync(path.join(ROOT, modules))) {
      copy(path.join(ROOT, modules), path.join(folder, modules));
    }
  }
  // A build of another folder must not be taken over.
  rmSync(path.join(folder, 'node_modules', '.cache'), { recursive: true, force: true });
  const [command, args] = isFresh ? ['npm', ['run', 'package']] : [node, ['-e', PACK]];
  await promisify(execFile)(command, args, { cwd: folder, maxBuffer: Infinity }).catch((error) => {
    throw new Problem(`Packing in ${folder} failed:\n${error.stdout}${error.stderr}`);
  });
  const out = path.join(folder, 'artifacts', 'package');
  return Object.fromEntries(
    readdirSync(out)
      .filter((name) => name.endsWith('.sha256'))
      .sort()
      .map((name) => [name, readFileSync(path.join(out, name), 'utf8')])
  );
}

/** `npm run package` without installing packages, which are there. */
const PACK = "import('./scripts/package.mjs').then(({ pack }) => pack(process.execPath))";

/** Prints what the catalog's validator reports on the plugin packed in a folder. @returns whether there is no error; undefined: it was not run */
async function checkCatalog(folder) {
  const out = path.join(folder, 'artifacts', 'package');
  const zip = readdirSync(out).find((name) => name.endsWith('.zip'));
  const { notRun, findings = [] } = await validate(path.join(out, zip), folder);
  say(notRun === undefined ? `Catalog validator: ${findings.length} findings` : `Catalog validator not run: ${notRun}`);
  findings.forEach(({ isError, text }) => say(`${isError ? '✗' : '~'} ${text}`));
  return notRun === undefined ? findings.every((one) => !one.isError) : undefined;
}

await main(async () => {
  if (!existsSync(path.join(ROOT, '.git'))) {
    say('Not run: this folder is not a checkout, so there is no commit to build twice.\n0 passed, 0 failed');
    return;
  }
  const node = await setup();
  const base = mkdtempSync(path.join(tmpdir(), 'nodebell-reproducible-'));
  try {
    const commit = must('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).trim();
    const [one, two] = await Promise.all(
      ['one', 'a longer name'].map((name, index) => packedIn(path.join(base, name), commit, node, index === 0))
    );
    Object.values(one).forEach((line) => say(line.trim()));
    const differ = Object.keys(one).filter((name) => one[name] !== two[name]);
    differ.forEach((name) => say(`✗ ${name} differs: ${two[name].trim()}`));
    const valid = await checkCatalog(path.join(base, 'one'));
    const failed = differ.length + (valid === false ? 1 : 0);
    say(`${Object.keys(one).length + (valid === undefined ? 0 : 1) - failed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
