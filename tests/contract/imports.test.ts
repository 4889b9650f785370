/** Allowed imports between folders. */
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
  /** Specifiers of import, export … from and import(…). */
  imports: string[];
  /** Every identifier, except members and properties. */
  names: Set<string>;
  strings: string[];
}

function parse(file: string): Parsed {
  const source = ts.createSourceFile(file, readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Parsed = { imports: [], names: new Set(), strings: [] };
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      found.imports.push(node.moduleSpecifier.text);
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      node.arguments[0] &&
      ts.isStringLiteral(node.arguments[0])
    ) {
      found.imports.push(node.arguments[0].text);
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

const isMember = (node: ts.Identifier): boolean =>
  (ts.isQualifiedName(node.parent) && node.parent.right === node) ||
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node);

/** `file: name` for each violation. */
function broken(files: string[], rule: (parsed: Parsed, file: string) => string[]): string[] {
  return files.flatMap((file) => rule(parse(file), file).map((what) => `${file}: ${what}`));
}
const resolved = (file: string, specifier: string): string =>
  path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));

/** Globals that exist only in Node or only in a browser. */
const PLATFORM = [
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
const platformNames = ({ names }: Parsed): string[] => PLATFORM.filter((name) => names.has(name));

describe('the contract', () => {
  const files = sources('backend-bridge/contract');
  it('imports only zod and itself, because the page bundles what it imports; expressions of matchers are the exception', () => {
    expect(files.length).toBeGreaterThan(8);
    const foreign = broken(files, ({ imports }, file) =>
      imports.filter((one) => one !== 'zod' && !(one.startsWith('.') && files.includes(resolved(file, one))))
    );
    expect(foreign).toEqual(['backend-bridge/contract/matcherRegex.ts: re2js']);
  });
  it('uses no API of Node or of a browser', () => {
    expect(broken(files, platformNames)).toEqual([]);
  });
});

/** Libraries without I/O. */
const PURE = /^(?:zod|semver|yaml|jsonc-parser|timestring|multiformats\/cid|css-tree)$/;

describe('validation', () => {
  const files = sources('backend-bridge/src/validation');
  const contract = sources('backend-bridge/contract');
  it('imports only the contract, itself and libraries without I/O', () => {
    expect(files.length).toBeGreaterThan(8);
    const allowed = new Set([...files, ...contract]);
    const foreign = broken(files, ({ imports }, file) =>
      imports.filter((one) => !PURE.test(one) && !(one.startsWith('.') && allowed.has(resolved(file, one))))
    );
    expect(foreign).toEqual([]);
  });
  it('uses no API of Node or of a browser', () => {
    expect(broken(files, platformNames)).toEqual([]);
  });
});

describe('the plugin', () => {
  const files = sources('src');
  it('imports only the contract of the bridge, by its alias', () => {
    expect(files.length).toBeGreaterThan(30);
    const used = broken(files, ({ imports }) =>
      imports.filter((one) => /backend-bridge|@nodebell\/(?!contract\/(?:api\/|channelTypes\/)?\w+\.ts$)/.test(one))
    );
    expect(used).toEqual([]);
    expect(
      broken(files, ({ imports }, file) =>
        imports.filter((one) => one.startsWith('.') && !resolved(file, one).startsWith('src/'))
      )
    ).toEqual(['src/routes.ts: ../plugin.json', 'src/extensions/links.tsx: ../../plugin.json']);
  });
  it('sends requests to the bridge in one file, to Grafana in another, and opens event streams in a third', () => {
    const speaks = ({ strings, names }: Parsed): string[] => [
      ...strings.filter((text) => text.includes('plugin-proxy')),
      ...['fetch', 'XMLHttpRequest', 'WebSocket', 'getBackendSrv'].filter((name) => names.has(name)),
    ];
    // The service worker runs without the page, and without Grafana's client.
    const worker = 'src/push/worker/worker.ts';
    expect(new Set(broken(files, speaks).map((line) => line.split(':')[0]))).toEqual(
      new Set(['src/api/client.ts', 'src/api/grafana.ts', worker])
    );
    const inPage = files.filter((file) => file !== worker);
    expect(broken(inPage, ({ strings }) => strings.filter((text) => text.includes('plugin-proxy')))).toHaveLength(1);
    // Grafana's own client does not support event streams.
    expect(broken(files, ({ names }) => ['EventSource'].filter((name) => names.has(name)))).toEqual([
      'src/api/joinEvents.ts: EventSource',
    ]);
  });
});

describe('the bridge', () => {
  const files = sources('backend-bridge/src');
  it('accesses the process in the first file of each process only', () => {
    expect(
      broken(files, ({ names }) => ['process'].filter((name) => names.has(name))).map((line) => line.split(':')[0])
    ).toEqual(['backend-bridge/src/main.ts', 'backend-bridge/src/intake/mapping/mappingProcess.ts']);
  });
  it('depends on SQLite in platform/storage only', () => {
    const outside = broken(files, ({ imports }, file) =>
      file.startsWith('backend-bridge/src/platform/storage/') ? [] : imports.filter((one) => one === 'better-sqlite3')
    );
    expect(outside).toEqual([]);
  });
  it("imports neither the plugin nor Grafana's packages, except for the dashboard builders", () => {
    const foreign = broken(files, ({ imports }, file) =>
      imports.filter(
        (one) =>
          (one.startsWith('@grafana/') &&
            !(
              one.startsWith('@grafana/grafana-foundation-sdk/') &&
              file.startsWith('backend-bridge/src/packages/dashboards/')
            )) ||
          one === 'react' ||
          (one.startsWith('.') && !resolved(file, one).startsWith('backend-bridge/'))
      )
    );
    expect(foreign).toEqual([]);
  });
});

it('tests that share their modules replace none', () => {
  const shared = ['backend-bridge', 'tests/contract', 'tests/integration'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`)
      .filter((file) => /(?<!\.mocks)\.test\.ts$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
  );
  expect(shared.length).toBeGreaterThan(200);
  // A module that another file has loaded before stays: such a test is named *.mocks.test.ts (CONTRIBUTING.md).
  const replacing = /\bvi\.(mock|doMock|resetModules)\(/;
  expect(shared.filter((file) => replacing.test(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
});
