import { Problem, run, say } from './run.mjs';
import { isFresh, markFresh } from './stale.mjs';

const BUILDS = [
  {
    name: 'bridge',
    what: 'the bridge',
    inputs: [
      ...['src', 'contract', 'bin', 'build.ts', 'package.json'].map((name) => `backend-bridge/${name}`),
      'package-lock.json',
    ],
    output: 'backend-bridge/dist/src/main.js',
    args: ['backend-bridge/build.ts'],
  },
  {
    name: 'plugin',
    what: "the plugin's pages",
    inputs: [
      'src',
      'plugin.json',
      'docs/img',
      'backend-bridge/contract',
      'webpack.config.ts',
      'scripts/pluginVersion.mjs',
      '.config',
      'package.json',
      'package-lock.json',
      'README.md',
      'CHANGELOG.md',
    ],
    output: 'dist/module.js',
    args: [
      'node_modules/webpack-cli/bin/cli.js',
      ...['-c', './webpack.config.ts', '--disable-interpret', '--env', 'production', '--stats', 'errors-warnings'],
    ],
  },
  {
    name: 'host',
    what: 'the page that stands in for Grafana',
    inputs: ['standalone/host', 'standalone/build.ts', 'package-lock.json'],
    output: 'standalone/dist/host.js',
    args: ['standalone/build.ts'],
  },
];

/**
 * Builds what is missing or was made from other sources.
 * @param options of `spawn`, and `release`: build everything, and the plugin with the version of package.json alone. A fresh stamp does not
 *   exclude that another program has written other files of the output since.
 */
export async function build(node, { release = false, ...options } = {}) {
  for (const { name, what, inputs, output, args } of BUILDS) {
    if (!release && isFresh(name, inputs, output)) {
      continue;
    }
    say(`Building ${what} …`);
    const more = release && name === 'plugin' ? ['--env', 'release'] : [];
    if ((await run(node, [...args, ...more], options)) !== 0) {
      throw new Problem(`Building ${what} failed; the reason is above.`);
    }
    markFresh(name, inputs, output);
  }
}
