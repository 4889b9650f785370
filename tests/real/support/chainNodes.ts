/** Real nodes on loopback, each with a private chain. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Child, freeAddress, startChild } from './child.ts';
import { findNodes } from './programs.ts';

/** Nodes from npm; too large to be installed with the project, so they are cached separately. */
const NPM = { anvil: '@foundry-rs/anvil@1.7.1', ethereumjs: '@ethereumjs/client@0.10.5' } as const;
const KEPT = path.join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'chain-nodes');

function npmNode(name: keyof typeof NPM): string {
  const program = path.join(KEPT, name, 'node_modules', '.bin', name);
  if (!existsSync(program)) {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', path.join(KEPT, name), NPM[name]], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return program;
}

export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nodebell-node-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function started(options: Parameters<typeof startChild>[0]): Promise<Child> {
  const child = await startChild(options);
  onTestFinished(() => child.stop());
  return child;
}

const portOf = (address: string): string => address.split(':')[1]!;

export const RPC_USER = 'reader';
export const RPC_PASSWORD = 'a-password-of-the-tests';

/** litecoind uses Bitcoin's RPC. Regtest, without peers unless configured. */
export async function startLitecoin(folder: string): Promise<Child & { p2p: string }> {
  const [rpc, p2p] = [await freeAddress(), await freeAddress()];
  const args = litecoinArgs(folder, rpc, p2p);
  const child = await started({
    command: findNodes().litecoind,
    args,
    url: `http://${rpc}`,
    readyPath: '/rest/chaininfo.json',
  });
  return { ...child, p2p };
}

export function litecoinArgs(folder: string, rpc: string, p2p: string): string[] {
  return [
    '-regtest',
    `-datadir=${folder}`,
    '-rest',
    '-listen=1',
    `-bind=${p2p}`,
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
    `-rpcport=${portOf(rpc)}`,
    `-rpcuser=${RPC_USER}`,
    `-rpcpassword=${RPC_PASSWORD}`,
    '-dnsseed=0',
    '-listenonion=0',
    '-disablewallet',
  ];
}

/** @returns the result of a call */
export async function bitcoinCall<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const authorization = `Basic ${Buffer.from(`${RPC_USER}:${RPC_PASSWORD}`).toString('base64')}`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ jsonrpc: '1.0', id: 0, method, params }),
  });
  const { result, error } = (await answer.json()) as { result: T; error: unknown };
  if (error !== null) {
    throw new Error(`${method}: ${JSON.stringify(error)}`);
  }
  return result;
}

export interface MoneroOptions {
  folder: string;
  /** Mines blocks, without peers. */
  offline?: boolean;
  /** The address of the only peer; synced from slowly enough to be observed. */
  peer?: string;
}

/** monerod on a private chain; `restricted` is the same node in its restricted mode. */
export async function startMonero({
  folder,
  offline,
  peer,
}: MoneroOptions): Promise<Child & { p2p: string; restricted: string }> {
  const [rpc, p2p, restricted] = [await freeAddress(), await freeAddress(), await freeAddress()];
  await mkdir(folder, { recursive: true });
  const args = [
    ...['--regtest', '--keep-fakechain', '--fixed-difficulty', '1', '--non-interactive', '--hide-my-port', '--no-igd'],
    ...['--disable-dns-checkpoints', '--check-updates', 'disabled', '--no-zmq', '--max-concurrency', '1'],
    ...['--data-dir', folder, '--rpc-bind-port', portOf(rpc), '--rpc-restricted-bind-port', portOf(restricted)],
    ...['--p2p-bind-ip', '127.0.0.1', '--p2p-bind-port', portOf(p2p)],
    ...(offline ? ['--offline'] : ['--allow-local-ip']),
    ...(peer === undefined ? [] : ['--add-exclusive-node', peer, '--limit-rate-down', '1', '--block-sync-size', '5']),
  ];
  const child = await started({ command: findNodes().monerod, args, url: `http://${rpc}`, readyPath: '/get_info' });
  return { ...child, p2p, restricted: `http://${restricted}` };
}

/** Any address: nothing mined is spent. */
const MINER = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

export async function mineMonero(url: string, blocks: number): Promise<void> {
  const params = { amount_of_blocks: blocks, wallet_address: MINER, starting_nonce: 0 };
  const answer = await fetch(`${url}/json_rpc`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'generateblocks', params }),
  });
  const { error } = (await answer.json()) as { error?: unknown };
  if (error !== undefined) {
    throw new Error(`generateblocks: ${JSON.stringify(error)}`);
  }
}

const ASK = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });

export async function startAnvil(): Promise<Child> {
  const rpc = await freeAddress();
  return started({
    command: npmNode('anvil'),
    args: ['--port', portOf(rpc), '--silent'],
    url: `http://${rpc}`,
    readyPath: '/',
    readyBody: ASK,
  });
}

/** An Ethereum execution client with mainnet's configuration and no peers; `engine` is the URL of the engine API. */
export async function startExecutionClient(): Promise<Child & { engine: string }> {
  const [rpc, engine, p2p, nobody] = [
    await freeAddress(),
    await freeAddress(),
    await freeAddress(),
    await freeAddress(),
  ];
  const args = [
    ...['--rpc', '--rpcAddr=127.0.0.1', `--rpcPort=${portOf(rpc)}`, `--dataDir=${await emptyFolder()}`],
    ...['--rpcEngine', '--rpcEngineAuth=false', '--rpcEngineAddr=127.0.0.1', `--rpcEnginePort=${portOf(engine)}`],
    ...['--discV4=false', '--discDns=false', `--port=${portOf(p2p)}`],
    `--bootnodes=enode://${'ab'.repeat(64)}@${nobody}`,
  ];
  const child = await started({
    command: npmNode('ethereumjs'),
    args,
    url: `http://${rpc}`,
    readyPath: '/',
    readyBody: ASK,
  });
  return { ...child, engine: `http://${engine}` };
}

/** @returns the unparsed response */
export async function ethereumCall(
  url: string,
  method: string,
  ...params: unknown[]
): Promise<{ result?: unknown; error?: unknown }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await answer.json()) as { result?: unknown; error?: unknown };
}
