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

/** Folders of the page that the inbox uses do not use it; requests and shared components use no other folder. */
const page = [
  {
    name: 'page-imports-below-the-inbox',
    severity: 'error',
    from: { path: '^src/(channels|extensions|packages|push|thresholds)/', pathNot: TESTS },
    to: { path: '^src/(inbox|panels|report)/' },
  },
  {
    name: 'components-import-below',
    severity: 'error',
    from: { path: '^src/components/', pathNot: TESTS },
    to: { path: '^src/[^/]+/', pathNot: '^src/(api|components|i18n)/' },
  },
  {
    name: 'api-imports-below',
    severity: 'error',
    from: { path: '^src/api/', pathNot: TESTS },
    to: { path: '^src/[^/]+/', pathNot: '^src/(api|i18n)/' },
  },
];

/** Imports run in one direction only: no circle of files, and no area imports one above it. Type imports are included. */
module.exports = {
  forbidden: [{ name: 'no-circular', severity: 'error', from: {}, to: { circular: true } }, ...upwards, ...page],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.mts', '.js'] },
  },
};
