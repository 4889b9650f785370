import { Problem, run, say } from './run.mjs';
import { isFresh, markFresh } from './stale.mjs';

const BUILDS = [
  {
    name: 'bridge',
    what: 'the bridge',
    inputs: [
      ...['src', 'contract', 'bin', 'build.ts', 'buildSchemas.ts', 'package.json'].map(
        (name) => `backend-bridge/${name}`
      ),
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

/** The plugin as `npm start` builds it, in a third of the time. */
const UNMINIFIED = { name: 'plugin-unminified', args: ['--env', 'unminified'] };

async function buildOne(node, { name, what, inputs, output, args }, options) {
  say(`Building ${what} …`);
  if ((await run(node, args, options)) !== 0) {
    throw new Problem(`Building ${what} failed; the reason is above.`);
  }
  markFresh(name, inputs, output);
}

/**
 * Builds what is missing or was made from other sources, at the same time. None of it checks types.
 * @param options of `spawn`, and
 *   `release`: build everything, and the plugin with the version of package.json alone. A fresh stamp does not exclude that another program
 *     has written other files of the output since.
 *   `minified`: false if the plugin need not be as in a release
 */
export async function build(node, { release = false, minified = true, ...options } = {}) {
  const stale = BUILDS.filter(({ name, inputs, output }) => {
    const names = name === 'plugin' && !minified ? [name, UNMINIFIED.name] : [name];
    return release || !names.some((one) => isFresh(one, inputs, output));
  });
  const builds = stale.map((one) => {
    if (one.name !== 'plugin') {
      return one;
    }
    const args = [...one.args, ...(release ? ['--env', 'release'] : [])];
    return minified ? { ...one, args } : { ...one, name: UNMINIFIED.name, args: [...args, ...UNMINIFIED.args] };
  });
  // All have ended before a failure is reported.
  const results = await Promise.allSettled(builds.map((one) => buildOne(node, one, options)));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
}
