/**
 * How much code one send involves: the files that its handlers, the inbox and the write in the writer thread import for their
 * values, directly or not. Both numbers only ever go down: lower them when they fall.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SRC = path.join(import.meta.dirname, '..', '..', 'backend-bridge', 'src');
const ENTRIES = [
  'platform/http/via.ts',
  'inbox/notifications/send.ts',
  'inbox/notifications/receiving.ts',
  'inbox/notifications/receiveRows.ts',
  'arrivals.ts',
];
const MAX_FILES = 59;
const MAX_LINES = 6_500;

/** An import or re-export that is not erased with the types. */
function isOfValues(node: ts.Node): node is ts.ImportDeclaration | ts.ExportDeclaration {
  if (ts.isExportDeclaration(node)) {
    return node.moduleSpecifier !== undefined && !node.isTypeOnly;
  }
  if (!ts.isImportDeclaration(node)) {
    return false;
  }
  const { importClause } = node;
  const named = importClause?.namedBindings;
  const onlyTypes =
    importClause?.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every(({ isTypeOnly }) => isTypeOnly);
  return importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword && !onlyTypes;
}

function valueImports(file: string, text: string): string[] {
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return statements
    .filter(isOfValues)
    .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.join(path.dirname(file), name));
}

test('the code of one send does not grow', () => {
  const lines = new Map<string, number>();
  const visit = (file: string): void => {
    if (lines.has(file)) {
      return;
    }
    expect(existsSync(file), file).toBe(true);
    const text = readFileSync(file, 'utf8');
    lines.set(file, text.split('\n').length - 1);
    valueImports(file, text).forEach(visit);
  };
  ENTRIES.forEach((name) => visit(path.join(SRC, name)));
  const sum = [...lines.values()].reduce((total, count) => total + count, 0);
  expect.soft(lines.size, 'files').toBeLessThanOrEqual(MAX_FILES);
  expect.soft(sum, 'lines').toBeLessThanOrEqual(MAX_LINES);
});
