/** A node of a chain that says what the test lets it say, and a bridge that asks it every second. */
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
 * An address of this machine that nobody else uses, so that nobody takes the port of a node while the node is stopped. Elsewhere
 * than on Linux there is only the one.
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

  /** At the port that it had before. */
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

/** A bridge that has the node's package, and knows from the operator where it is. */
export async function watching(node: FakeNode): Promise<Provisioned> {
  return (await folderWith(node)).start();
}

/** The operator's files: the node's package, and where it is. */
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

/** Until the node is told to be so. */
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
