/** Screenshots in the docs: each is shown, each link has a file, and each exists in all variants. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const IMAGES = path.join(ROOT, 'docs', 'img');
const images = readdirSync(IMAGES).sort();
/** Small enough to clone. */
const MOST_BYTES = 6 * 1024 * 1024;

/** File names of the images on a page. */
function namedIn(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/!\[[^\]]+\]\((?:docs\/)?img\/([^)]+)\)/g)].map(([, file]) => file!);
}

test('docs/pictures.md shows every file once', () => {
  expect(namedIn('docs/pictures.md').sort()).toEqual(images);
});

test('the files that the README shows exist', () => {
  const shown = namedIn('README.md');
  expect(shown.length).toBeGreaterThan(0);
  expect(images).toEqual(expect.arrayContaining(shown));
});

test('each exists dark and light, desktop and phone', () => {
  const names = new Set(images.map((file) => file.replace(/(-phone)?-(dark|light)\.png$/, '')));
  const all = [...names].flatMap((name) =>
    ['-dark', '-light', '-phone-dark', '-phone-light'].map((suffix) => `${name}${suffix}.png`)
  );
  expect(images).toEqual(all.sort());
});

test('their total size is limited', () => {
  const bytes = images.reduce((sum, file) => sum + statSync(path.join(IMAGES, file)).size, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
