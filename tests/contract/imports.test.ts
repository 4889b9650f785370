/** Which room may use which: the walls of the house. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const TEST = /\.(test|testing)\.tsx?$/;

/** Source files of a folder, without tests; relative to the root, with slashes. */
function sources(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !TEST.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file));
}

interface Parsed {
  /** What stands in import, export … from and import(…). */
  imports: string[];
  /** Those of them that are more than types: they are there when the code runs. */
  atRunTime: string[];
  /** Every name that is used, but for members and properties. */
  names: Set<string>;
  strings: string[];
}

function parse(file: string): Parsed {
  const source = ts.createSourceFile(file, readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Parsed = { imports: [], atRunTime: [], names: new Set(), strings: [] };
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      found.imports.push(node.moduleSpecifier.text);
      if (!isOfTypes(node)) {
        found.atRunTime.push(node.moduleSpecifier.text);
      }
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      node.arguments[0] &&
      ts.isStringLiteral(node.arguments[0])
    ) {
      found.imports.push(node.arguments[0].text);
      found.atRunTime.push(node.arguments[0].text);
    } else if (ts.isIdentifier(node) && !isMember(node)) {
      found.names.add(node.text);
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.strings.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether an import or a re-export is of types alone. */
function isOfTypes(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    return node.isTypeOnly || areTypes(node.exportClause);
  }
  const clause = node.importClause;
  const typed = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  return typed || (clause !== undefined && clause.name === undefined && areTypes(clause.namedBindings));
}
const areTypes = (names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean =>
  names !== undefined &&
  (ts.isNamedImports(names) || ts.isNamedExports(names)) &&
  names.elements.every(({ isTypeOnly }) => isTypeOnly);

const isMember = (node: ts.Identifier): boolean =>
  (ts.isQualifiedName(node.parent) && node.parent.right === node) ||
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node);

/** `file: what` for each that breaks a rule. */
function broken(files: string[], rule: (parsed: Parsed, file: string) => string[]): string[] {
  return files.flatMap((file) => rule(parse(file), file).map((what) => `${file}: ${what}`));
}
const resolved = (file: string, specifier: string): string =>
  path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));

/** Of these only zod goes into the page: decision 0015. */
const PURE = /^(?:zod|semver|yaml|jsonc-parser|timestring|multiformats\/cid|css-tree)$/;

describe('the contract', () => {
  const files = sources('backend-bridge/contract');
  it('imports nothing but itself and libraries that are pure', () => {
    expect(files.length).toBeGreaterThan(8);
    const foreign = broken(files, ({ imports }, file) =>
      imports.filter((one) => !PURE.test(one) && !(one.startsWith('.') && files.includes(resolved(file, one))))
    );
    expect(foreign).toEqual([]);
  });
  it('uses nothing of Node or of a browser', () => {
    const worlds = [
      'process',
      'Buffer',
      'global',
      'require',
      'module',
      'setImmediate',
      'window',
      'document',
      'navigator',
      'location',
      'localStorage',
      'fetch',
      'setTimeout',
      'setInterval',
      'console',
    ];
    expect(broken(files, ({ names }) => worlds.filter((name) => names.has(name)))).toEqual([]);
  });
});

describe('the plugin', () => {
  const files = sources('src');
  it('knows the bridge by its contract alone, under its own name', () => {
    expect(files.length).toBeGreaterThan(30);
    const used = broken(files, ({ imports }) =>
      imports.filter((one) => /backend-bridge|@nodebell\/(?!contract\/\w+\.ts$)/.test(one))
    );
    expect(used).toEqual([]);
    expect(
      broken(files, ({ imports }, file) =>
        imports.filter((one) => one.startsWith('.') && !resolved(file, one).startsWith('src/'))
      )
    ).toEqual(['src/routes.ts: ../plugin.json']);
  });
  it('does not carry the judges: of the contract it runs what needs zod alone', () => {
    const contract = sources('backend-bridge/contract');
    const heavy = (file: string, seen: Set<string>): string[] => {
      if (seen.has(file)) {
        return [];
      }
      seen.add(file);
      return parse(file).atRunTime.flatMap((one) =>
        one.startsWith('.') ? heavy(resolved(file, one), seen) : one === 'zod' ? [] : [one]
      );
    };
    const libraries = new Map(contract.map((file) => [file, heavy(file, new Set())]));
    expect(libraries.get('backend-bridge/contract/manifest.ts')).toContain('css-tree');
    const carried = broken(files, ({ atRunTime }) =>
      atRunTime.flatMap((one) => {
        const file = one.replace(/^@nodebell\//, 'backend-bridge/');
        return (libraries.get(file) ?? []).map((library) => `${one} brings ${library}`);
      })
    );
    expect(carried).toEqual([]);
  });
  it('speaks to the bridge in one file alone, and to Grafana in another; a third listens', () => {
    const speaks = ({ strings, names }: Parsed): string[] => [
      ...strings.filter((text) => text.includes('plugin-proxy')),
      ...['fetch', 'XMLHttpRequest', 'WebSocket', 'getBackendSrv'].filter((name) => names.has(name)),
    ];
    expect(new Set(broken(files, speaks).map((line) => line.split(':')[0]))).toEqual(
      new Set(['src/bridge/client.ts', 'src/bridge/grafana.ts'])
    );
    expect(broken(files, ({ strings }) => strings.filter((text) => text.includes('plugin-proxy')))).toHaveLength(1);
    // An event stream is not among what Grafana's own client can do.
    expect(broken(files, ({ names }) => ['EventSource'].filter((name) => names.has(name)))).toEqual([
      'src/bridge/joinEvents.ts: EventSource',
    ]);
  });
});

describe('the bridge', () => {
  const files = sources('backend-bridge/src');
  it('reads the process in its first file alone', () => {
    expect(
      broken(files, ({ names }) => ['process'].filter((name) => names.has(name))).map((line) => line.split(':')[0])
    ).toEqual(['backend-bridge/src/main.ts']);
  });
  it('knows which database it is in the storage room alone', () => {
    const outside = broken(files, ({ imports }, file) =>
      file.startsWith('backend-bridge/src/storage/') ? [] : imports.filter((one) => one === 'better-sqlite3')
    );
    expect(outside).toEqual([]);
  });
  it('uses nothing of the plugin, nor of Grafana’s packages, but for the builders of dashboards in their room', () => {
    const foreign = broken(files, ({ imports }, file) =>
      imports.filter(
        (one) =>
          (one.startsWith('@grafana/') &&
            !(
              one.startsWith('@grafana/grafana-foundation-sdk/') &&
              file.startsWith('backend-bridge/src/grafana/dashboards/')
            )) ||
          one === 'react' ||
          (one.startsWith('.') && !resolved(file, one).startsWith('backend-bridge/'))
      )
    );
    expect(foreign).toEqual([]);
  });
});
