/** Packages for tests, with the structure of real ones. */
import type { TestBridge } from './support.ts';

export const PACKAGES = '/api/v1/packages';
export const GETH = 'geth.example.eth';

export type ManifestJson = Record<string, unknown>;

/** A manifest without findings, with overrides. */
export function manifest(changes: ManifestJson = {}): ManifestJson {
  return {
    name: GETH,
    version: '1.0.0',
    shortDescription: 'An execution client of the made up kind',
    description: 'It follows a chain.',
    type: 'service',
    architectures: ['linux/amd64'],
    author: 'Ada <ada@example.org> (https://example.org/ada)',
    categories: ['Blockchain'],
    keywords: ['chain'],
    links: { homepage: 'https://example.org' },
    license: 'Apache-2.0',
    ...changes,
  };
}

/** Registers a package; expects success. */
export function register(bridge: TestBridge, changes: ManifestJson = {}, others: Record<string, unknown> = {}) {
  return bridge.call('POST', PACKAGES, { manifest: manifest(changes), ...others });
}

export const NOTIFICATIONS_YAML = `endpoints:
  - name: Is it synced
    enabled: true
    group: ethereum
    url: http://geth.example:8545
    method: POST
    body: '{"jsonrpc":"2.0","method":"net_peerCount","params":[],"id":1}'
    interval: 30s
    conditions:
      - "[BODY].result >= 10"
    definition:
      title: Few peers
      description: The node has few peers.
    metric: { min: 0, max: 50, unit: peers }
    correlationId: geth-peers
    isBanner: false
    priority: medium
    alerts:
      - type: custom
        enabled: true
        description: Peers are [CONDITION_VALUE]
        failure-threshold: 4
        success-threshold: 1
        send-on-resolved: true
customEndpoints:
  - name: A block was proposed
    description: The validator proposed a block.
    correlationId: geth-proposal
    isBanner: false
    enabled: true
    metric: { treshold: 3, min: 0, max: 10, unit: blocks }
`;

export const COMPOSE_YAML = `version: '3.5'
services:
  geth:
    image: example/geth
    environment:
      - EXTRA_OPTS=
  proxy:
    image: example/proxy
`;
