import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChainNode } from '../../../backend-bridge/contract/chain.ts';
import { TestBridge } from './bridge.ts';
import { aManifest } from './packages.ts';

const hex = (count: number) => `0x${count.toString(16)}`;

/** Implements the part of Ethereum's JSON-RPC that the bridge uses; tests set its state. */
export class FakeNode {
  current = 26_458_112;
  /** Undefined: `eth_syncing` is false. */
  target: number | undefined;
  peers = 48;
  chainId = 1;
  /** The error in place of any result. */
  rpcError: string | undefined;
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(state: Partial<FakeNode> = {}): Promise<FakeNode> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
        const answer = Array.isArray(calls) ? calls.map((call) => node.#answer(call)) : node.#answer(calls);
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(answer));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const node = Object.assign(new FakeNode(server), state);
    return node;
  }

  #answer({ id, method }: Call) {
    if (this.rpcError !== undefined) {
      return { jsonrpc: '2.0', id, error: { code: -32_000, message: this.rpcError } };
    }
    const results: Record<string, unknown> = {
      eth_syncing: this.target !== undefined && { currentBlock: hex(this.current), highestBlock: hex(this.target) },
      eth_blockNumber: hex(this.current),
      eth_chainId: hex(this.chainId),
      net_peerCount: hex(this.peers),
      web3_clientVersion: 'Geth/v1.17.4-stable/linux-amd64/go1.25.1',
    };
    return { jsonrpc: '2.0', id, result: results[method] };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

interface Call {
  id: number | string;
  method: string;
}

/** A synced node in a response of the bridge, for tests with many nodes. */
export const anAnswer = (name: string): ChainNode => ({
  dnpName: `${name}.dnp.dappnode.eth`,
  ...{ name, packageVersion: '0.1.0', links: [], driver: 'ethereum', title: 'Ethereum' },
  ...{ state: 'synced', sentence: 'It is in sync.', current: 1000, target: 1000, behind: 0, ratio: 1 },
  ...{ secondsLeft: null, interval: 15, changedAt: new Date(0).toISOString() },
  limits: { behind: 5, stalledMinutes: 10, unreachableMinutes: 10, peers: 5 },
});

export interface WatchedNode {
  /** The first part of its package's name. */
  name: string;
  url: string;
  /** `chain` of its manifest. */
  driver?: string;
  /** Other members of its manifest. */
  manifest?: Record<string, unknown>;
}

/** A bridge with provisioned nodes, each polled every second. */
export async function startWatching(nodes: WatchedNode[]): Promise<{ bridge: TestBridge; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nodebell-chains-'));
  for (const { name, driver = 'ethereum', manifest: change } of nodes) {
    await mkdir(path.join(folder, name));
    const manifest = aManifest({ name: `${name}.dnp.dappnode.eth`, chain: driver, ...change });
    await writeFile(path.join(folder, name, 'dappnode_package.json'), manifest);
  }
  const lines = [
    'apiVersion: 1',
    'packages:',
    ...nodes.map(({ name }) => `  - path: ${name}`),
    'chains:',
    ...nodes.map(({ name, url }) => `  ${name}.dnp.dappnode.eth: { url: "${url}", interval: 1s }`),
  ];
  await writeFile(path.join(folder, 'nodes.yaml'), `${lines.join('\n')}\n`);
  const bridge = await TestBridge.start({ NODEBELL_PROVISIONING_DIR: folder });
  return {
    bridge,
    async stop() {
      await bridge.dispose();
      await rm(folder, { recursive: true });
    },
  };
}
