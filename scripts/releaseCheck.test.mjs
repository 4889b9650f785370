import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { releaseErrors } from './releaseCheck.mjs';
import { ROOT } from './run.mjs';

const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json'));

test('this commit can be released by the tag of its version', () => {
  expect(releaseErrors(`v${version}`)).toEqual([]);
});

test.each([
  ['another tag', 'v9.9.9', {}, /^The tag is v9\.9\.9\. For version .* it must be v/],
  ['no tag', undefined, {}, /^The tag is undefined/],
  [
    'a bridge of another version',
    undefined,
    { 'backend-bridge/package.json': '{"version":"9.9.9"}' },
    /^backend-bridge/,
  ],
  [
    'a chart of another version',
    undefined,
    { 'packaging/helm/nodebell-bridge/Chart.yaml': `version: ${version}\nappVersion: 9.9.9\n` },
    /^packaging\/helm\/nodebell-bridge\/Chart\.yaml \(appVersion\) has version 9\.9\.9/,
  ],
  ['a changelog without a date', undefined, { 'CHANGELOG.md': `## ${version} (unreleased)` }, /^CHANGELOG\.md has no/],
])('%s is an error', (name, tag, changed, message) => {
  const errors = releaseErrors(
    tag ?? (name === 'no tag' ? undefined : `v${version}`),
    (file) => changed[file] ?? read(file)
  );
  expect(errors).toEqual([expect.stringMatching(message)]);
});
