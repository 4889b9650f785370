/** The pictures of the docs: each is shown somewhere, each that is named is there, and none is taken in half of the ways only. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const IMAGES = path.join(ROOT, 'docs', 'img');
const images = readdirSync(IMAGES).sort();
/** Small enough to clone. */
const MOST_BYTES = 6 * 1024 * 1024;

/** File names of the pictures that a page shows. */
function namedIn(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/!\[[^\]]+\]\((?:docs\/)?img\/([^)]+)\)/g)].map(([, file]) => file!);
}

test('the page of pictures shows them all, each once', () => {
  expect(namedIn('docs/pictures.md').sort()).toEqual(images);
});

test('what the readme shows is there', () => {
  const shown = namedIn('README.md');
  expect(shown.length).toBeGreaterThan(0);
  expect(images).toEqual(expect.arrayContaining(shown));
});

test('each is there dark and light, wide and on a phone', () => {
  const names = new Set(images.map((file) => file.replace(/(-phone)?-(dark|light)\.png$/, '')));
  const all = [...names].flatMap((name) =>
    ['-dark', '-light', '-phone-dark', '-phone-light'].map((suffix) => `${name}${suffix}.png`)
  );
  expect(images).toEqual(all.sort());
});

test('together they are no burden', () => {
  const bytes = images.reduce((sum, file) => sum + statSync(path.join(IMAGES, file)).size, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
