/**
 * Bundles the bridge and its command line into `dist`: `node build.ts`.
 *
 * A module of {@link DEFERRED_MODULES} or {@link DEFERRED_PACKAGES} is evaluated when one of its exports is first used, not when it is imported (as `import defer` does,
 * https://github.com/tc39/proposal-defer-import-eval): what an installation does not use costs no memory.
 */
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin, type PluginBuild } from 'esbuild';
import { lazySchemas } from './buildSchemas.ts';

const here = import.meta.dirname;
const require = createRequire(import.meta.url);

/** The main thread with the command line, which share chunks; and each of the other threads and processes, which have heaps of their own. */
const PROGRAMS: readonly Record<string, string>[] = [
  {
    'src/main': 'src/main.ts',
    'src/bridge': 'src/bridge.ts',
    'src/config': 'src/config.ts',
    'bin/nodebell': 'bin/nodebell.ts',
  },
  { 'src/writerThread': 'src/writerThread.ts' },
  { 'src/readerThread': 'src/readerThread.ts' },
  { 'src/integrityThread': 'src/platform/storage/sqlite/integrityThread.ts' },
  { 'src/mappingProcess': 'src/intake/mapping/mappingProcess.ts' },
];

/** Modules that are evaluated on first use: packages by name, with the file to bundle where it is not the usual one. */
const DEFERRED_PACKAGES: Readonly<Record<string, string>> = {
  '@grafana/grafana-foundation-sdk/dashboard': '',
  '@grafana/grafana-foundation-sdk/text': '',
  '@prometheus-io/lezer-promql': '',
  chokidar: '',
  // Its other build reads JSON files beside it.
  'css-tree': 'css-tree/dist/csstree.esm',
  http_ece: '',
  jose: '',
  // Its main file is UMD, which cannot be bundled.
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  // Its ES module is a file .mjs, for which a stub cannot be CommonJS.
  liquidjs: 'liquidjs/dist/liquid.node.js',
  'multiformats/cid': '',
  'node-ical': '',
  nodemailer: '',
  pg: 'pg/lib/index.js',
  re2js: '',
  semver: '',
  'tar-stream': '',
  'temporal-polyfill': '',
  yaml: '',
};

/** Modules of the bridge that are evaluated on first use: what is behind a setting, a request, or a file. */
const DEFERRED_MODULES: readonly string[] = [
  'packages/volumes/gather',
  'packages/volumes/pack',
  'packages/volumes/unpack',
  'monitoring/chains/drivers/index',
  'packages/dashboards/dashboards',
  'platform/http/openapi',
  'monitoring/monitors/alertRule',
  'monitoring/monitors/gatus/monitor',
  'monitoring/monitors/grafana/monitor',
  'monitoring/monitors/prometheus/monitor',
  'monitoring/monitors/promql',
  'packages/registry/describe',
  'provisioning/apply',
  'provisioning/loadFile',
  'platform/replicas/session',
  'platform/storage/postgres/database',
  'platform/storage/postgres/store',
  'validation/manifest/fields',
  'validation/source/messages',
  'validation/source/json',
  'validation/source/yaml',
  'validation/updateDecision',
  'validation/package/validatePackage',
  'intake/webhooks/fromGatus',
  'intake/webhooks/group',
  'intake/mapping/evaluator',
];

const DEFERRED: Readonly<Record<string, string>> = {
  ...DEFERRED_PACKAGES,
  ...Object.fromEntries(DEFERRED_MODULES.map((name) => [`./src/${name}.ts`, ''])),
};

/** Parts of packages that the bridge does not use. Express: parsers of bodies and queries, colours; prom-client: exemplars. */
const UNUSED = /^(body-parser|qs|supports-color|@opentelemetry\/api)$/;

/** Code for Node in one file. */
export const FOR_NODE = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  external: ['better-sqlite3'],
  logLevel: 'warning',
} satisfies BuildOptions;

const OPTIONS = {
  ...FOR_NODE,
  absWorkingDir: here,
  outdir: 'dist',
  // Names are kept: stacks stay readable without source maps.
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
} satisfies BuildOptions;

interface Deferred {
  name: string;
  /** To be bundled, absolute. */
  file: string;
  exports: readonly string[];
  isCommonJs: boolean;
}

/** By file. */
async function deferredModules(): Promise<Map<string, Deferred>> {
  const names = Object.entries(DEFERRED).map(([name, file]) => [
    name
      .replace(/^\W*(src\/)?/, '')
      .replace(/\.ts$/, '')
      .replaceAll(/\W+/g, '-'),
    file || name,
  ]);
  const entryPoints = Object.fromEntries(names) as Record<string, string>;
  // Split: each entry would contain all that it imports otherwise.
  const options = { ...OPTIONS, entryPoints, outdir: here, splitting: true, write: false, plugins } as const;
  const { outputs, inputs } = (await build(options)).metafile;
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const found = entries.map(([output, { entryPoint = '', exports }]): [string, Deferred] => {
    const file = path.resolve(here, entryPoint);
    const isCommonJs = inputs[entryPoint]!.format !== 'esm';
    // CommonJS has its exports at run time only.
    const all = isCommonJs ? Object.keys(require(file) as object) : exports;
    return [file, { name: path.basename(output, '.js'), file, exports: all, isCommonJs }];
  });
  return new Map(found);
}

const isOwn = (file: string): boolean => !file.includes('node_modules');

/** Imports to look at: packages by name, modules of the bridge by that of their files. */
const MAYBE_DEFERRED = new RegExp(
  `^(${Object.keys(DEFERRED_PACKAGES).join('|')})$|/(${DEFERRED_MODULES.map((name) => path.basename(name)).join('|')})\\.ts$`
);

/**
 * See {@link DEFERRED}. esbuild compiles an import of a CommonJS module into accesses to its properties where they are used; here these are
 * getters.
 * @param entryOf called with each module that the program defers. @returns the name of its file
 * @param bundled false: deferred modules are included, to find all of them at once, as a deferred module can defer others
 */
const defer = (
  deferred: ReadonlyMap<string, Deferred>,
  entryOf: (one: Deferred) => string,
  bundled: boolean
): Plugin => ({
  name: 'defer',
  setup(builder) {
    builder.onResolve({ filter: MAYBE_DEFERRED }, async (args) => {
      if (
        args.kind !== 'import-statement' ||
        args.namespace === 'deferred' ||
        args.pluginData === defer ||
        !isOwn(args.importer)
      ) {
        return undefined;
      }
      const { kind, resolveDir } = args;
      const resolved = await builder.resolve(DEFERRED[args.path] || args.path, { kind, resolveDir, pluginData: defer });
      // Relative: esbuild writes the path into the bundle, which must not depend on the folder.
      return deferred.has(resolved.path)
        ? { path: path.relative(here, resolved.path), namespace: 'deferred' }
        : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: 'deferred' }, ({ path: file }) => {
      const one = deferred.get(path.resolve(here, file))!;
      const entry = entryOf(one);
      if (!bundled) {
        return { contents: `module.exports = require(${JSON.stringify(one.file)})`, resolveDir: here };
      }
      const getters = one.exports.map(
        (name) => `get ${JSON.stringify(name)}() { return load()${`[${JSON.stringify(name)}]`}; }`
      );
      return {
        contents: `
          let loaded;
          const load = () => (loaded ??= requireFile('./${entry}.js')${one.isCommonJs ? '.default' : ''});
          module.exports = { ${getters.join(', ')} };`,
      };
    });
  },
});

function unused(builder: PluginBuild): void {
  builder.onResolve({ filter: UNUSED }, ({ path: name }) => ({ path: name, namespace: 'unused' }));
  builder.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }));
}

/** An ES import of a module of Node reads all its exports, of `node:http` also those for which Node loads undici: 13 MB. */
function nodeByProperty(builder: PluginBuild): void {
  builder.onResolve({ filter: /^node:/ }, ({ path: name, kind }) =>
    kind === 'import-statement' ? { path: name, namespace: 'node' } : undefined
  );
  builder.onLoad({ filter: /.*/, namespace: 'node' }, ({ path: name }) => ({
    contents: `module.exports = process.getBuiltinModule(${JSON.stringify(name)})`,
  }));
}

/**
 * Packages of Express need one version of these, of which npm installs a copy for each. Handlers set whole media types, so only those with a
 * default charset are looked up: the others would be 1.4 MB of memory.
 */
function oneMimeTable(builder: PluginBuild): void {
  builder.onResolve({ filter: /^mime-(types|db)$/ }, ({ path: name, kind, pluginData }) => {
    const from = path.dirname(require.resolve('accepts', { paths: [path.dirname(require.resolve('express'))] }));
    const resolveDir = name === 'mime-db' ? path.dirname(require.resolve('mime-types', { paths: [from] })) : from;
    return pluginData === oneMimeTable
      ? undefined
      : builder.resolve(name, { kind, resolveDir, pluginData: oneMimeTable });
  });
  builder.onLoad({ filter: /mime-db.db\.json$/ }, ({ path: file }) => {
    const types = Object.entries(require(file) as Record<string, { charset?: string }>);
    const contents = JSON.stringify(Object.fromEntries(types.filter(([, { charset }]) => charset !== undefined)));
    return { contents, loader: 'json' };
  });
}

const plugins: Plugin[] = [lazySchemas, unused, nodeByProperty, oneMimeTable].map((setup) => ({
  name: setup.name,
  setup,
}));

/** Bundles a program, with the deferred modules that it needs as further files. */
async function buildProgram(entryPoints: Record<string, string>, deferred: Map<string, Deferred>): Promise<Metafile> {
  const [first] = Object.keys(entryPoints);
  const used = new Map<string, string>();
  const options = (bundled: boolean): BuildOptions & { metafile: true } => ({
    ...OPTIONS,
    // Sorted: names of chunks depend on the order, which is that of finished callbacks otherwise.
    entryPoints: { ...entryPoints, ...Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))) },
    chunkNames: 'src/[name]-[hash]',
    splitting: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    banner: {
      js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url),requireFile=require,lazySchema=make=>{let it;return{get it(){return it??=make()}}};",
    },
    plugins: [
      ...plugins,
      defer(
        deferred,
        ({ name, file }) => {
          const entry = `${path.basename(first!)}-${name}`;
          used.set(`src/${entry}`, file);
          return entry;
        },
        bundled
      ),
    ],
  });
  await build({ ...options(false), sourcemap: false, minifySyntax: false, minifyWhitespace: false, write: false });
  return (await build(options(true))).metafile;
}

/** Builds everything. @returns what each program consists of */
export async function buildBridge(): Promise<Metafile[]> {
  rmSync(path.join(here, 'dist'), { recursive: true, force: true });
  const deferred = await deferredModules();
  return Promise.all(PROGRAMS.map((program) => buildProgram(program, deferred)));
}

if (import.meta.main) {
  await buildBridge();
}
