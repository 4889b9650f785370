/**
 * Bundles the host page. `--libraries <folder>`: build it on the @grafana and React packages found from that folder.
 * `--development`: with the development warnings of React and the libraries.
 */
import { build, type Plugin } from 'esbuild';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

const here = import.meta.dirname;

// Copies of these that differ from @grafana/ui's own would be second instances with contexts and caches of their own.
const LIKE_UI = /^(@emotion\/(css|react)|react-router-dom|react-router-dom-v5-compat)$/;

const findUi = (libraries: string) =>
  path.dirname(createRequire(path.join(libraries, 'index.js')).resolve('@grafana/ui/package.json'));

/** One instance of everything shared, resolved from one set of libraries, whichever file imports it. */
function oneInstance(libraries: string): Plugin {
  const uiFolder = findUi(libraries);
  const runtimeFolder = path.join(uiFolder, '..', 'runtime');
  return {
    name: 'one-instance',
    setup(builder) {
      builder.onResolve({ filter: /^runtime-plugin-page$/ }, () => ({
        path: path.join(runtimeFolder, 'dist', 'esm', 'components', 'PluginPage.mjs'),
      }));
      builder.onResolve({ filter: /^[@\w]/ }, (args) => {
        const fromHost = args.resolveDir.startsWith(path.join(here, 'host'));
        if (args.pluginData === oneInstance || !(fromHost || LIKE_UI.test(args.path))) {
          return undefined;
        }
        const isOwn = args.path.startsWith('systemjs/');
        const resolveDir = isOwn ? here : LIKE_UI.test(args.path) ? uiFolder : libraries;
        return builder.resolve(args.path, { kind: args.kind, resolveDir, pluginData: oneInstance });
      });
    },
  };
}

/** Node would find a package that is missing in this set of libraries in a parent folder. */
function refuseOthers(files: string[], libraries: string): void {
  const own = path.resolve(findUi(libraries), '..', '..') + path.sep;
  const others = files
    .map((file) => path.resolve(file))
    .filter((file) => file.includes(`${path.sep}node_modules${path.sep}`) && !file.startsWith(own))
    .filter((file) => !/[\\/]node_modules[\\/]systemjs[\\/]/.test(file));
  if (others.length > 0) {
    throw new Error(
      `The host must be built from ${own} only, but these were resolved elsewhere:\n${others.join('\n')}`
    );
  }
}

export async function buildHost(libraries: string, outdir: string, { development = false } = {}): Promise<void> {
  const { metafile } = await build({
    entryPoints: { host: path.join(here, 'host', 'main.tsx') },
    outdir,
    bundle: true,
    splitting: true,
    minifyWhitespace: true,
    minifySyntax: true,
    // Names are kept, so that warnings name the component.
    minifyIdentifiers: !development,
    format: 'esm',
    metafile: true,
    target: 'es2022',
    jsx: 'automatic',
    logLevel: 'warning',
    // systemjs's own package.json says `"type": "script"`, which esbuild does not know and which harms nothing.
    logOverride: { 'package.json': 'silent' },
    define: { 'process.env.NODE_ENV': development ? '"development"' : '"production"', global: 'window' },
    loader: { '.ttf': 'file', '.woff': 'file', '.woff2': 'file', '.svg': 'file' },
    plugins: [oneInstance(libraries)],
  });
  refuseOthers(Object.keys(metafile.inputs), libraries);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { libraries: { type: 'string' }, outdir: { type: 'string' }, development: { type: 'boolean' } },
  });
  const outdir = path.resolve(values.outdir ?? path.join(here, 'dist'));
  await buildHost(path.resolve(values.libraries ?? here), outdir, { development: values.development ?? false });
}
