import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import CopyWebpackPlugin from 'copy-webpack-plugin';
import type { Compilation, Compiler, Configuration, EntryObject, RuleSetRule } from 'webpack';
import { pluginVersion } from './scripts/pluginVersion.mjs';

interface PluginJson {
  id: string;
  languages: string[];
  info: { screenshots: { path: string }[] };
}

const readJson = (...file: string[]) => JSON.parse(readFileSync(path.join(...file), 'utf8')) as PluginJson;

// The stock configuration reads src/plugin.json while it is being imported. The top-level plugin.json is the only copy
// that anyone edits, so the one it wants is made here, before the import.
copyFileSync('plugin.json', path.join('src', 'plugin.json'));
// The screenshots of the docs that it names.
for (const { path: file } of readJson('plugin.json').info.screenshots) {
  mkdirSync(path.join('src', path.dirname(file)), { recursive: true });
  copyFileSync(path.join('docs', 'img', path.basename(file)), path.join('src', file));
}
const { default: grafanaConfig } = await import('./.config/webpack/webpack.config.ts');

interface SwcRule extends RuleSetRule {
  use: { loader: string; options: { jsc: Record<string, unknown>; parseMap?: boolean } };
}

/**
 * Without this, webpack (5.112, `LazyBarrels`) takes this module for one of re-exports only and skips those that nothing asks for. Whether one
 * is asked for in time depends on the order in which files are read, and hashes depend on it.
 */
const ROUTER_RULE: RuleSetRule = { test: /[\\/]node_modules[\\/]react-router-dom[\\/]/, sideEffects: true };

const isSwcRule = (rule: unknown): rule is SwcRule =>
  (rule as { use?: { loader?: string } }).use?.loader === 'swc-loader';

/**
 * The stock build calls React.createElement; React 18 and 19 share only `react/jsx-runtime`, which the host provides. It also passes source
 * maps as text, in which webpack leaves absolute paths: the hashes in file names would depend on the folder.
 */
function adaptSwc(config: Configuration, sourceMaps: boolean) {
  const rule = config.module?.rules?.find(isSwcRule);
  if (!rule) {
    throw new Error(
      '.config/webpack/webpack.config.ts has no swc-loader rule: adapt webpack.config.ts to its new shape'
    );
  }
  rule.use.options.jsc['transform'] = { react: { runtime: 'automatic' } };
  rule.use.options.parseMap = sourceMaps;
}

const app = readJson('plugin.json');
const { version: released } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const panels = readdirSync(path.join('src', 'panels')).sort();

/** Each nested plugin is served below its own id, so it needs the logo there as well. */
const panelLogos = panels.map((name) => ({
  from: path.join('img', 'logo.svg'),
  to: path.join('panels', name, 'img', 'logo.svg'),
}));

/** Grafana looks for the texts of a nested plugin in its own folder, by its own id: `GetTranslations` in assetpath.go. */
const panelTexts = panels.flatMap((name) => {
  const { id, languages } = readJson('src', 'panels', name, 'plugin.json');
  return languages.map((language) => ({
    from: path.join('locales', language, `${app.id}.json`),
    to: path.join('panels', name, 'locales', language, `${id}.json`),
  }));
});

/** Date of the commit (https://reproducible-builds.org/specs/source-date-epoch/), else today. */
function releaseDate(): string {
  const epoch = process.env['SOURCE_DATE_EPOCH'];
  return (epoch ? new Date(Number(epoch) * 1000) : new Date()).toISOString().slice(0, 10);
}

/**
 * Writes the version into each plugin.json, before the stock build would fill it in.
 * @param isRelease the version is that of package.json: the plugin catalog requires it
 */
const versionPlugin = (isRelease: boolean) => ({
  apply(compiler: Compiler) {
    compiler.hooks.thisCompilation.tap('PluginVersion', (compilation: Compilation) => {
      // After everything that changes files, and before they are written.
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'PluginVersion', stage }, (assets) => {
        const files = Object.entries(assets).map(([name, source]) => ({ name, data: source.buffer() }));
        const version = isRelease ? released : pluginVersion(released, files);
        for (const { name, data } of files.filter(({ name }) => path.posix.basename(name) === 'plugin.json')) {
          compilation.updateAsset(
            name,
            new compiler.webpack.sources.RawSource(
              data.toString().replaceAll('%VERSION%', version).replaceAll('%TODAY%', releaseDate())
            )
          );
        }
      });
    });
  },
});

/** Browsers load a service worker as a plain script, not as AMD. */
const SERVICE_WORKER = { import: './push/worker/sw.ts', library: { type: 'var', name: 'nodebellWorker' } };

export default async function config(env: Record<string, true | string>): Promise<Configuration> {
  const base = await grafanaConfig(env);
  const unminified = env['unminified'] === true;
  adaptSwc(base, !unminified);
  return {
    ...base,
    module: { ...base.module, rules: [...(base.module?.rules ?? []), ROUTER_RULE] },
    // In the order of the file system otherwise, which hashes depend on.
    entry: Object.fromEntries(
      Object.entries({ ...(base.entry as EntryObject), sw: SERVICE_WORKER }).sort(([a], [b]) => (a < b ? -1 : 1))
    ),
    plugins: [
      ...(base.plugins ?? []),
      new CopyWebpackPlugin({ patterns: [{ from: 'img/push.png', to: 'img' }, ...panelLogos, ...panelTexts] }),
      versionPlugin(env['release'] === true),
    ],
    cache: {
      type: 'filesystem',
      // Checkouts that share node_modules share the cache as well, and files to be copied are known in it by their place
      // in the checkout: the texts of one would be copied into the other.
      name: `plugin-${unminified ? 'unminified-' : ''}${createHash('sha256').update(process.cwd()).digest('hex').slice(0, 8)}`,
      buildDependencies: {
        // With plugin.json: the copy that webpack sees is made while this file is read, and was taken for the old one.
        config: ['webpack.config.ts', '.config/webpack/webpack.config.ts', 'plugin.json'].map((file) =>
          path.resolve(file)
        ),
      },
    },
    resolve: {
      ...base.resolve,
      alias: { '@nodebell/contract': path.resolve('backend-bridge', 'contract') },
    },
    // Files that every user loads are kept small. A panel comes with its dashboard, and has nothing that could be loaded later.
    performance: {
      maxEntrypointSize: 60_000,
      maxAssetSize: 1_000_000,
      assetFilter: (name) => !/^panels\/|\.map(\?|$)/.test(name),
    },
    // For `npm start`: minifying and source maps are most of the time of a build.
    ...(unminified && { optimization: { ...base.optimization, minimize: false }, devtool: false, performance: false }),
  };
}
