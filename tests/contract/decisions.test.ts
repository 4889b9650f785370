/** Pages of docs/decisions: consecutive numbers, at most 40 lines. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'docs', 'decisions');
const PAGES = readdirSync(FOLDER).filter((name) => name !== 'README.md');

test('pages are numbered without gaps', () => {
  expect(PAGES.map((name) => Number(name.slice(0, 4)))).toEqual(PAGES.map((_, index) => index + 1));
});

test.each(PAGES)('%s has its number in the title and at most 40 lines', (name) => {
  const lines = readFileSync(path.join(FOLDER, name), 'utf8').trimEnd().split('\n');
  expect(lines[0]).toMatch(new RegExp(`^# ${name.slice(0, 4)} `));
  expect(lines.length).toBeLessThanOrEqual(40);
});
