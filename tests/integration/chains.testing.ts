/** A simulated node whose responses a test controls, and a bridge that polls it every second. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ChainNode, Chains } from '../../backend-bridge/contract/chain.ts';
import { eventually, Folder, manifest, type Provisioned } from './provisioning.testing.ts';

export const NODE = 'geth.dnp.dappnode.eth';

export interface Said {
  syncing: unknown;
  block: string;
  peers: string;
}

let nodes = 0;
/**
 * A loopback address of its own, so that no other process takes the node's port while it is stopped. Outside Linux there is
 * only one.
 */
function ownHost(): string {
  nodes += 1;
  const { pid, platform } = process;
  return platform === 'linux' ? `127.${1 + ((pid >> 8) & 127)}.${pid & 255}.${nodes % 255}` : '127.0.0.1';
}

export class FakeNode {
  said: Said = { syncing: false, block: '0x10', peers: '0x19' };
  readonly #host = ownHost();
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<FakeNode> {
    const node = new FakeNode();
    await node.start();
    onTestFinished(() => node.stop());
    return node;
  }

  get url(): string {
    return `http://${this.#host}:${this.#port}`;
  }

  /** Restarts on the same port. */
  async start(): Promise<void> {
    const results = (): Record<string, unknown> => ({
      eth_syncing: this.said.syncing,
      eth_blockNumber: this.said.block,
      net_peerCount: this.said.peers,
      eth_chainId: '0xaa36a7',
      web3_clientVersion: 'Geth/v1.17.4',
    });
    const server = createServer((req, res) => {
      let text = '';
      req.on('data', (chunk: Buffer) => (text += chunk.toString()));
      req.on('end', () => {
        const calls = JSON.parse(text) as { id: number; method: string }[];
        res.end(JSON.stringify(calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: results()[method] }))));
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.#port, this.#host, resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }
}

/** A bridge with the node's package and a provisioned address. */
export async function watching(node: FakeNode): Promise<Provisioned> {
  return (await folderWith(node)).start();
}

/** The provisioning files: the node's package and its address. */
export function folderWith(node: FakeNode): Promise<Folder> {
  return Folder.make({
    'geth.json': manifest(NODE, '1.0.0', { chain: 'ethereum', upstreamVersion: 'v1.17.4' }),
    'all.yaml': [
      'apiVersion: 1',
      'packages: [{ manifest: geth.json }]',
      `chains: { ${NODE}: { url: "${node.url}", interval: 1s } }`,
      '',
    ].join('\n'),
  });
}

export async function nodeOf({ bridge }: Provisioned): Promise<ChainNode | undefined> {
  const { nodes } = await bridge.call<Chains>('GET', '/api/v1/chains');
  return nodes.find(({ dnpName }) => dnpName === NODE);
}

/** Waits until the node is reported in this state. */
export async function untilNode(running: Provisioned, is: (node: ChainNode) => boolean): Promise<ChainNode> {
  let node: ChainNode | undefined;
  await eventually(async () => {
    node = await nodeOf(running);
    if (node === undefined || !is(node)) {
      throw new Error(`it is ${JSON.stringify(node)}`);
    }
  });
  return node as ChainNode;
}
