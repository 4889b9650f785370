/** A manifest with every member, for tests of manifest validation. */

/** To be mutated at random. */
export const FULL = {
  name: 'my-node.public.dappnode.eth',
  version: '1.2.3',
  upstreamVersion: 'v1',
  shortDescription: 'Runs a node of the example chain',
  description: 'A node.',
  type: 'service',
  chain: 'ethereum',
  mainService: 'node',
  dockerTimeout: '20min',
  dependencies: { 'a.dnp.dappnode.eth': '^1.0.0', 'b.eth': 'latest' },
  requirements: { minimumDappnodeVersion: '0.2.77', notInstalledPackages: ['c.eth'] },
  globalEnvs: { all: true },
  architectures: ['linux/amd64'],
  backup: [{ name: 'keys', path: '/keys', service: 'node' }],
  changelog: 'New.',
  warnings: { onInstall: 'a', onUpdate: 'b', onReset: 'c', onRemove: 'd' },
  updateAlerts: [{ from: '<1.0.0', to: '1.x', message: 'Careful.' }],
  disclaimer: { message: 'Careful.' },
  style: { featuredBackground: '#123', featuredColor: 'white', featuredAvatarFilter: 'invert(1)' },
  exposable: [{ name: 'API', description: 'An API', serviceName: 'node', port: 8545, fromSubdomain: 'api' }],
  author: 'A <a@example.org> (https://example.org)',
  contributors: ['B <b@example.org>'],
  categories: ['Blockchain'],
  keywords: ['node'],
  links: { homepage: 'https://example.org', forum: 'https://example.org/forum' },
  repository: { type: 'git', url: 'https://github.com/a/b.git', directory: 'c' },
  bugs: { url: 'https://example.org/issues' },
  license: 'MIT',
};

/** A manifest that DAppNode accepts, with every member that it validates. */
export const FULL_DAPPNODE = {
  ...FULL,
  upstreamVersion: undefined,
  upstream: [{ repo: 'a/b', version: 'v1.0.0', arg: 'VERSION' }],
  chain: { driver: 'ethereum-beacon-chain', serviceName: 'node', portNumber: 3500 },
  optionalDependencies: { 'd.dnp.dappnode.eth': '^1.0.0' },
  requirements: { ...FULL.requirements, minimumDockerVersion: '20.10.0' },
  globalEnvs: [{ envs: ['DOMAIN'], services: ['node'] }],
  runOrder: ['node'],
  restartCommand: 'restart',
  restartLaunchCommand: 'launch',
  warnings: { ...FULL.warnings, onPatchUpdate: 'e', onMinorUpdate: 'f', onMajorUpdate: 'g' },
  exposable: [{ ...FULL.exposable[0], exposeByDefault: false, external: true }],
  categories: ['AI', 'Lido'],
};

const SHARED = {
  name: 'CPU',
  correlationId: 'dms-cpu',
  enabled: true,
  isBanner: false,
  callToAction: { title: 'Look', url: 'http://dms.dappnode' },
  requirements: {
    pkgsInstalled: { 'a.dnp.dappnode.eth': '>=1.0.0' },
    pkgsNotInstalled: ['b.public.dappnode.eth'],
  },
};

/** A notifications file that DAppNode accepts, with every member that it validates. */
export const FULL_NOTIFICATIONS = {
  endpoints: [
    {
      ...SHARED,
      group: 'hardware',
      url: 'http://prometheus.dms.dappnode:9090/api/v1/query',
      method: 'GET',
      interval: '30s',
      conditions: ['[BODY].data.result[0].value[1] <= 80', '[STATUS] == 200'],
      metric: { min: 0, max: 100, unit: '%' },
      definition: { title: 'CPU usage', description: 'When it is high.' },
      priority: 'medium',
      alerts: [
        {
          type: 'custom',
          enabled: true,
          description: 'CPU above [CONDITION_VALUE] %',
          'failure-threshold': 2,
          'success-threshold': 1,
          'send-on-resolved': true,
        },
      ],
    },
  ],
  customEndpoints: [
    {
      ...SHARED,
      correlationId: 'dms-disk',
      description: 'A disk.',
      metric: { treshold: 5, min: 0, max: 10, unit: 'GB' },
    },
  ],
};
