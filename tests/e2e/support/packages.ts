import type { TestBridge } from './bridge.ts';

/** A manifest that breaks nothing. Members that are undefined are left out. */
export function aManifest(change: Record<string, unknown> = {}): string {
  const manifest = {
    name: 'geth.dnp.dappnode.eth',
    version: '0.1.0',
    upstreamVersion: 'v1.17.4',
    type: 'service',
    shortDescription: 'The Go client of the Ethereum network',
    description: 'Runs a **node** of the Ethereum network.',
    author: 'Example Authors <authors@example.org> (https://example.org)',
    license: 'GPL-3.0',
    categories: ['Blockchain'],
    keywords: ['ethereum'],
    links: { ui: 'http://geth.dappnode', homepage: 'https://geth.example.org' },
    ...change,
  };
  return JSON.stringify(manifest, null, 2);
}

export const COMPOSE = 'version: "3.5"\nservices:\n  geth: { image: "geth.dnp.dappnode.eth:0.1.0" }\n';

export const NOTIFICATIONS = `endpoints:
  - name: Geth peers
    enabled: true
    url: "http://geth:8545"
    method: GET
    conditions:
      - "[BODY].peers >= 10"
    interval: 30s
    group: geth
    alerts:
      - type: custom
        failure-threshold: 2
        success-threshold: 1
        send-on-resolved: true
        description: "too few peers"
        enabled: true
    definition:
      title: Geth has few peers
      description: Is the port open?
    correlationId: geth-peers
    priority: medium
    isBanner: false
    metric:
      min: 0
      max: 100
      unit: peers
customEndpoints: []
`;

/** Registers a package past the page. */
export function register(bridge: TestBridge, change: Record<string, unknown> = {}, files: Record<string, string> = {}) {
  return bridge.call('POST', '/api/v1/packages', { manifest: aManifest(change), ...files });
}
