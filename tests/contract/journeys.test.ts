/** The journeys in docs/architecture.md match the code. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const PAGE = read('docs/architecture.md');

/** The file at the start of each step of a section. */
function filesOf(section: string): string[] {
  const text = PAGE.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/^\d+\. `([\w./-]+)`/gm)].map(([, file]) => file!);
}

function importsOf(file: string): string[] {
  return ts
    .preProcessFile(read(file))
    .importedFiles.map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName))
    .map((name) => [name, `${name}.ts`, `${name}.tsx`].find((each) => existsSync(path.join(ROOT, each))) ?? name);
}

describe.each([
  ["A notification's way to the page", 7],
  ["An alert's way to a resolved thread", 7],
  ["A manifest's way to the registry", 7],
  ["A node's way to its state", 7],
  ["An alert's way to a resolved thread", 7],
  ["A threshold's path to a monitor", 7],
  ["A value's path to its slider", 4],
  ['A notification in the page', 5],
  ['A slider in the page', 5],
  ['A manifest in the page', 5],
  ['A node in the page', 5],
])('%s', (section, limit) => {
  const files = filesOf(section);
  test(`has at most ${limit} files`, () => {
    expect(files.length).toBeGreaterThan(3);
    expect(files.length).toBeLessThanOrEqual(limit);
  });
  test.each(files.slice(1).map((file, index) => [file, index + 1] as const))(
    '%s is imported by a file before it',
    (file, index) => {
      expect(files.slice(0, index).flatMap(importsOf)).toContain(file);
    }
  );
});
