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
  ['From a send to the page', 7],
  ['From an alert to a resolved thread', 7],
  ['From a manifest to the registry', 7],
  ['From a poll to the state of a node', 7],
  ['From a threshold to a monitor', 7],
  ['From a value to its slider', 4],
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
