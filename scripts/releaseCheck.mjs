/** `node scripts/releaseCheck.mjs v1.2.3`: whether this commit may be released by this tag. The first step of a release (docs/release.md). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { main, Problem, ROOT, say } from './run.mjs';

const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');

/** @returns what does not match the version of package.json, one message each */
export function releaseErrors(tag, readFile = read) {
  const json = (file) => JSON.parse(readFile(file));
  const { version } = json('package.json');
  const lock = json('package-lock.json');
  const chart = 'packaging/helm/nodebell-bridge/Chart.yaml';
  // Without a package for YAML: nothing is installed yet.
  const ofChart = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(readFile(chart))?.[1];
  const others = {
    'package-lock.json': lock.version,
    'backend-bridge/package.json': json('backend-bridge/package.json').version,
    'package-lock.json (backend-bridge)': lock.packages['backend-bridge'].version,
    'backend-bridge/package-lock.json': json('backend-bridge/package-lock.json').version,
    [chart]: ofChart('version'),
    [`${chart} (appVersion)`]: ofChart('appVersion'),
  };
  const errors = Object.entries(others)
    .filter(([, other]) => other !== version)
    .map(([file, other]) => `${file} has version ${other}, package.json has ${version}.`);
  if (tag !== `v${version}`) {
    errors.push(`The tag is ${tag}. For version ${version} of package.json it must be v${version}.`);
  }
  if (!readFile('CHANGELOG.md').split('\n').some(isHeadingOf(version))) {
    errors.push(`CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)".`);
  }
  return errors;
}

const isHeadingOf = (version) => (line) => line.startsWith(`## ${version} (`) && /\(\d{4}-\d{2}-\d{2}\)$/.test(line);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(() => {
    const errors = releaseErrors(process.argv[2]);
    if (errors.length > 0) {
      throw new Problem(errors.join('\n'));
    }
    say(`${process.argv[2]} can be released.`);
  });
}
