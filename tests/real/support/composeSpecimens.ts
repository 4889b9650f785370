/** Compose files and packages for the comparison with DAppNode. */
import type { Json } from '../../contract/mutations.testing.ts';

/** Values that releases before 0.1.26 reject. */
export const NEWER_IN_COMPOSE = /"shm_size"|dnprivate_network/;

/** `name` and `type` of the manifest decide what a package may do. The last one may be privileged in newer releases only. */
export const PACKAGES = [
  { name: 'web.dnp.dappnode.eth', type: 'service' },
  { name: 'core.dnp.dappnode.eth', type: 'dncore' },
  { name: 'dms.dnp.dappnode.eth', type: 'service' },
  { name: 'dappnode-exporter.dnp.dappnode.eth', type: 'service' },
];
export const FULL_COMPOSE: Json = {
  version: '3.5',
  networks: { dncore_network: { external: true }, dnpublic_network: {} },
  services: {
    web: {
      image: 'web.dnp.dappnode.eth:1.0.0',
      dns: '172.33.1.2',
      pid: 'service:db',
      privileged: false,
      network_mode: 'bridge',
      networks: { dncore_network: { aliases: ['web.dappnode'] } },
      volumes: ['data:/data', 'logs:/logs:ro'],
      environment: ['A=1'],
    },
    db: { image: 'db', networks: ['dncore_network'], volumes: ['data:/data'] },
  },
  volumes: { data: {}, logs: {} },
};
export const COMPOSE_VALUES: readonly unknown[] = [
  ...[
    '3.4',
    '3.3',
    '3.10',
    '3.5.1',
    'v3.5',
    3.5,
    3,
    4.1,
    ['3.5'],
    'host',
    'service:web',
    'pid:host',
    '172.33',
    '8.8.8.8',
  ],
  ...[
    ['172.33.1.2'],
    ['8.8.8.8', '1.1.1.1'],
    ['dncore_network'],
    ['dnpublic_network', 'other'],
    { dncore_network: null },
  ],
  ...[{ dncore_network: { aliases: ['bind.dappnode'] } }, { dncore_network: { aliases: 'my.ipfs.dappnode' } }],
  ...[{ dncore_network: { aliases: 5 } }, { external: false }, { external: true }, { other: {} }],
  ...[
    ['data'],
    ['data:'],
    ['/data:/data'],
    ['./a:/a'],
    ['da ta:/a'],
    ['none:/a'],
    ['data:/a', 5],
    [{ type: 'volume' }],
  ],
  ...[{ privileged: true }, { credential_spec: 'a' }, { stdin_open: true }, 'data:/a', ' 3.5', '=3.5', '3.4.0-a'],
];
