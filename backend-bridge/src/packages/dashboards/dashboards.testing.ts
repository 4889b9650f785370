/** A registered package, validated as in the bridge. */
import { validatePackage } from '../../validation/package/validatePackage.ts';
import type { RegisteredPackage, ShippedFile } from '../registry/types.ts';

export const MANIFEST = {
  name: 'geth.example.eth',
  version: '1.2.3',
  upstreamVersion: 'v1.15.0',
  type: 'service',
  description: 'A node.',
  shortDescription: 'An execution client for a chain of blocks',
  license: 'MIT',
  chain: 'ethereum',
  categories: ['Blockchain'],
  links: {
    homepage: 'https://geth.example.org/',
    ui: 'http://geth.example',
    'Block explorer': 'https://explorer.example.org/',
  },
  bugs: { url: 'https://bugs.example.org/' },
  exposable: [{ name: 'RPC', port: 8545, serviceName: 'geth', description: 'JSON RPC' }],
};

export function registered(manifest: object = MANIFEST, dashboards: ShippedFile[] = []): RegisteredPackage {
  const texts = { manifest: JSON.stringify(manifest, null, 2) };
  const validated = validatePackage(texts, { dialect: 'dappnode' });
  const { dnpName = 'unknown', version = '0.0.0' } = validated.facts?.summary ?? {};
  return { dnpName, version, texts, validated, targets: [], dashboards, filesDir: undefined };
}
