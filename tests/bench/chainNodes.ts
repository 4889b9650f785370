/** 500 nodes in one process: each path is a node, some in sync, some behind, some failing. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const START = Date.now();

const server = createServer((req, res) => {
  const node = Number(/\d+/.exec(req.url ?? '')?.[0] ?? 0);
  const block = 20_000_000 + Math.floor((Date.now() - START) / (node % 5 === 1 ? 100 : 12_000));
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const results: Record<string, unknown> = {
    eth_syncing: node % 5 === 1 ? { currentBlock: hex(block), highestBlock: hex(25_000_000) } : false,
    eth_blockNumber: hex(block),
    net_peerCount: '0x19',
    eth_chainId: '0x1',
    web3_clientVersion: 'Geth/v1.17.4-stable/linux-amd64/go1.25',
  };
  let text = '';
  req.on('data', (chunk: Buffer) => (text += chunk.toString()));
  req.on('end', () => {
    if (node % 10 === 2) {
      res.writeHead(500).end('broken');
      return;
    }
    const calls = JSON.parse(text) as { id: number; method: string }[];
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: results[method] }))));
  });
});
// The keep-alive timeout of geth.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
