const BRIDGE = '^backend-bridge/src/';
/** Areas of the bridge, from the lowest to the highest: each imports only those before it. */
const AREAS = [
  'validation',
  'platform',
  'inbox',
  'delivery',
  'intake',
  'monitoring',
  'packages',
  'provisioning',
  'cli',
];
const PAGES = '^src/';
/** Folders of the pages, in the same way. */
const FOLDERS = [
  'i18n',
  'api',
  'components',
  'channels',
  'push',
  'chains',
  'toasts',
  'thresholds',
  'inbox',
  'packages',
  'config',
  'report',
  'extensions',
  'panels',
];
const TESTS = '[.](test|testing|spec)[.]';

const upwards = (root, names, others) =>
  names.map((name, index) => ({
    name: `${root.slice(1)}${name}-imports-below`,
    severity: 'error',
    from: { path: `${root}${name}/` },
    to: { path: `${root}(${[...names.slice(index + 1).map((above) => `${above}/`), ...others].join('|')})` },
  }));

/** Imports run in one direction only: no circle of files or folders, and no folder imports one above it. Type imports are included. */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-circular-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    ...upwards(BRIDGE, AREAS, ['[^/]+$']),
    ...upwards(PAGES, FOLDERS, ['App[.]tsx$', 'module[.]tsx$']),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // Tests may use what stands above the file that they test.
    exclude: { path: `(^|/)dist/|${TESTS}` },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.mts', '.js'] },
  },
};
