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
const SRC = '^backend-bridge/src/';
const TESTS = '[.](test|testing)[.]';

const upwards = AREAS.map((area, index) => ({
  name: `${area}-imports-below`,
  severity: 'error',
  from: { path: `${SRC}${area}/`, pathNot: TESTS },
  to: { path: `${SRC}(${[...AREAS.slice(index + 1).map((above) => `${above}/`), '[^/]+$'].join('|')})` },
}));

/** Imports run in one direction only: no circle of files, and no area imports one above it. Type imports are included. */
module.exports = {
  forbidden: [{ name: 'no-circular', severity: 'error', from: {}, to: { circular: true } }, ...upwards],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.mts', '.js'] },
  },
};
