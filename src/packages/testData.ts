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

export function someFacts(change: Partial<PackageFacts> = {}): PackageFacts {
  return {
    description: 'Ethereum is a **global**, open-source platform.',
    contributors: [],
    license: 'GPL-3.0',
    architectures: ['linux/amd64'],
    services: ['geth'],
    timeout: { seconds: 10, operations: ['restart', 'stop'] },
    globalEnvs: [],
    dependencies: [],
    exposable: [],
    backup: [],
    warnings: {},
    ...change,
  };
}

export function aDetail(
  change: Partial<Omit<PackageDetail, 'facts'>> & { facts?: Partial<PackageFacts> } = {}
): PackageDetail {
  return {
    ...aSummary(),
    findingList: [],
    notifications: [],
    backupAvailable: false,
    history: [],
    ...change,
    facts: someFacts(change.facts),
  };
}
