/** Packages and nodes that show what there is to show, for pictures. */
import { setTimeout as wait } from 'node:timers/promises';
import { FakeNode, startWatching } from './chains.ts';
import { COMPOSE, NOTIFICATIONS, register } from './packages.ts';

/** Until rates are known and what has stopped counts as stopped. */
const WATCHED_MS = 60_000;

const client = (about: string, links: object, upstreamVersion: string) => ({
  shortDescription: about,
  links,
  upstreamVersion,
});

/** A bridge of its own, with packages and nodes. */
export async function startNodesScene(): Promise<{ url: string; token: string; close: () => Promise<void> }> {
  const geth = await FakeNode.start();
  const sepolia = await FakeNode.start({ chainId: 11_155_111, current: 7_794_310, target: 12_332_770, peers: 27 });
  const gnosis = await FakeNode.start({ chainId: 100, current: 49_402_887, peers: 3 });
  const optimism = await FakeNode.start({ chainId: 10, current: 144_920_551, peers: 22 });
  const api = { api: 'http://node.dappnode:8545', homepage: 'https://node.example.org' };
  const { bridge, stop } = await startWatching([
    { name: 'geth', url: geth.url, manifest: client('The Go client of the Ethereum network', api, 'v1.17.4') },
    {
      name: 'sepolia-geth',
      url: sepolia.url,
      manifest: client('Tries out Ethereum contracts on a test network', api, 'v1.17.4'),
    },
    {
      name: 'erigon-gnosis',
      url: gnosis.url,
      manifest: client('An efficient client of the Gnosis chain', api, 'v3.2.2'),
    },
    {
      name: 'op-geth',
      url: optimism.url,
      manifest: client('Execution client of the Optimism second layer', api, 'v1.101411.6'),
    },
  ]);
  await register(
    bridge,
    {
      name: 'dms.dnp.dappnode.eth',
      version: '2.0.4',
      upstreamVersion: 'Grafana 13.1.0',
      shortDescription: 'Collects and shows metrics of the node',
      description: 'Collects the **metrics** of this node and of its packages, and shows them on dashboards.',
      categories: ['Monitoring'],
      keywords: ['grafana', 'prometheus', 'metrics'],
      links: { ui: 'http://dms.dappnode', homepage: 'https://dms.example.org', readme: 'https://dms.example.org/read' },
      style: { featuredBackground: 'linear-gradient(67deg, #000, #12372f)', featuredColor: 'white' },
      warnings: { onMajorUpdate: 'The database is **migrated** at the first start. Allow about 20 minutes.' },
      backup: [{ name: 'dashboards', path: '/data/dashboards', service: 'geth' }],
      exposable: [{ name: 'Grafana', description: 'Dashboards', serviceName: 'geth', port: 3000 }],
      dockerTimeout: '20min',
    },
    { compose: COMPOSE, notifications: NOTIFICATIONS }
  );
  await register(bridge, {
    name: 'web3signer-gnosis.dnp.dappnode.eth',
    upstreamVersion: '25.4.1',
    shortDescription: 'Signs for validators, and keeps them from being slashed twice over',
    categories: ['Blockchain', 'ETH2.0'],
  });
  const growing = setInterval(() => {
    geth.current += 1;
    gnosis.current += 1;
    sepolia.current += 87;
  }, 1000);
  await wait(2000);
  await optimism.stop();
  await wait(WATCHED_MS);
  return {
    url: bridge.url,
    token: bridge.token,
    async close() {
      clearInterval(growing);
      await stop();
      await Promise.all([geth, sepolia, gnosis].map((node) => node.stop()));
    },
  };
}
