/** Test packages. */
import type { PackageDetail, PackageFacts, PackageSummary } from '@nodebell/contract/package.ts';

export function aSummary(change: Partial<PackageSummary> = {}): PackageSummary {
  return {
    dnpName: 'geth.dnp.dappnode.eth',
    version: '0.1.51',
    upstreamVersion: 'v1.17.4',
    type: 'service',
    shortDescription: 'The Go implementation of the Ethereum protocol',
    categories: ['Blockchain'],
    keywords: ['geth', 'ethereum', 'client'],
    links: [
      { key: 'homepage', kind: 'homepage', url: 'https://geth.example.org' },
      { key: 'api', kind: 'api', url: 'http://geth.dappnode:8545' },
      { key: 'engine', kind: 'engine', url: 'http://geth.dappnode:8551' },
    ],
    dashboards: [],
    endpoints: 2,
    backups: 0,
    findings: { error: 0, warning: 2, note: 1 },
    missingDependencies: 0,
    origin: { kind: 'api' },
    fingerprint: '9f86d081884c7d65',
    registeredAt: '2026-09-02T16:31:00.000Z',
    registeredBy: 'admin',
    updatedAt: '2026-09-02T16:31:00.000Z',
    ...change,
  };
}

const FACTS: PackageFacts = {
  description: '',
  contributors: [],
  license: 'GPL-3.0',
  architectures: ['linux/amd64'],
  services: [],
  timeout: { seconds: 600, operations: [] },
  globalEnvs: [],
  dependencies: [],
  exposable: [],
  backup: [],
  warnings: {},
};

export const aDetail = (change: Partial<PackageDetail> = {}): PackageDetail => ({
  ...aSummary(),
  facts: FACTS,
  findingList: [],
  notifications: [],
  backupAvailable: false,
  history: [],
  ...change,
});
