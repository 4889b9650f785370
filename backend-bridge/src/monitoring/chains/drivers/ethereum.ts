/**
 * Ethereum's JSON-RPC (execution-apis: eth_syncing, eth_blockNumber, eth_chainId; net_peerCount and web3_clientVersion as all
 * clients implement them).
 */
import { compact } from '../../../../contract/compact.ts';
import { isObject } from '../../../../contract/text.ts';
import {
  badResponse,
  type Figures,
  type Identity,
  type Json,
  optional,
  quantity,
  type Reading,
  shownText,
  type Starting,
} from './reading.ts';
import { callAll, type Driver, type RawResponses, resultIfAny, resultOf } from './driver.ts';

const ALWAYS = ['eth_syncing', 'eth_blockNumber', 'net_peerCount'];
const IDENTITY = ['eth_chainId', 'web3_clientVersion'];
/** Parts of the state that geth still has to download when it has all blocks (eth_syncing, "healing…"). */
const HEALING = ['healingTrienodes', 'healingBytecode'];

export const ethereum: Driver = {
  port: 8545,
  interval: 15,
  title: 'Ethereum',
  fetch: ({ query, identity, rpc }) =>
    callAll(identity ? [...ALWAYS, ...IDENTITY] : ALWAYS, { query, path: '', rpc, version: '2.0' }),
  read: readEthereum,
};

export function readEthereum(responses: RawResponses, known: Identity): Reading {
  const syncing = resultOf(responses, 'eth_syncing');
  const block = quantity(resultOf(responses, 'eth_blockNumber'), 'eth_blockNumber');
  // Some nodes, mostly development nodes, do not support the call.
  const peers = optional(resultIfAny(responses, 'net_peerCount'), (count) => quantity(count, 'net_peerCount'));
  const identity = readIdentity(responses);
  const rest = compact<Pick<Figures, 'peers' | 'identity'>>({ peers, identity });
  if (syncing === false) {
    const network = Number(identity.network ?? known.network ?? Number.NaN);
    return block > 0 || isDevelopment(network)
      ? { kind: 'figures', current: block, target: block, ...rest }
      : notBegun(block, rest);
  }
  if (isObject(syncing)) {
    return readProgress(syncing, block, rest);
  }
  throw badResponse('not-understood', 'Unexpected response to eth_syncing: neither false nor an object.');
}

function readProgress(syncing: Json, block: number, rest: Pick<Figures, 'peers' | 'identity'>): Reading {
  const { currentBlock, highestBlock } = syncing;
  if (currentBlock === undefined && highestBlock === undefined) {
    // Some layer 2 nodes return other members here.
    return { kind: 'figures', current: block, ...rest };
  }
  const current = quantity(currentBlock, 'currentBlock');
  const target = Math.max(current, quantity(highestBlock, 'highestBlock'));
  if (target === 0) {
    return notBegun(0, rest);
  }
  const healing = HEALING.some((member) => (optional(syncing[member], (left) => quantity(left, member)) ?? 0) > 0);
  return { kind: 'figures', current, target, ...(healing && { unfinished: 'state-download' }), ...rest };
}

/** A node without blocks is not in sync, even if it reports that it is not syncing. */
function notBegun(current: number, rest: Pick<Figures, 'peers' | 'identity'>): Starting {
  return {
    kind: 'starting',
    current,
    ...(rest.peers === 0
      ? { cause: 'no-peers', sentence: 'No blocks yet, and no peers to download from.' }
      : { cause: 'no-target', sentence: 'No blocks yet. The newest block of the chain is not known yet.' }),
    ...rest,
  };
}

function readIdentity(responses: RawResponses): Identity {
  const chainId = optional(resultIfAny(responses, 'eth_chainId'), (id) => quantity(id, 'eth_chainId'));
  const version = shownText(resultIfAny(responses, 'web3_clientVersion'));
  return { ...(chainId !== undefined && ethereumNetwork(chainId)), ...(version !== undefined && { version }) };
}

/**
 * Ethereum chain ids (EIP-155; names of chainid.network) with their block time in seconds. Chains that make blocks on
 * demand have none.
 */
const BY_CHAIN_ID: Record<number, [title: string, blockSeconds?: number]> = {
  1: ['Ethereum', 12],
  10: ['Optimism', 2],
  42: ['LUKSO', 12],
  61: ['Ethereum Classic', 13],
  100: ['Gnosis', 5],
  137: ['Polygon', 2],
  8453: ['Base', 2],
  10200: ['Gnosis Chiado', 5],
  17000: ['Ethereum Holesky', 12],
  42161: ['Arbitrum One'],
  560048: ['Ethereum Hoodi', 12],
  11155111: ['Ethereum Sepolia', 12],
};
/** Chain ids of development nodes (anvil, hardhat; ganache, geth --dev), which make blocks on demand. */
const DEVELOPMENT = new Set([31337, 1337]);

export function isDevelopment(chainId: number | undefined): boolean {
  return chainId !== undefined && DEVELOPMENT.has(chainId);
}

/** @param beacon a node of the beacon chain of this network */
export function ethereumNetwork(chainId: number, beacon = false): Identity {
  const [title, blockSeconds] = BY_CHAIN_ID[chainId] ?? [
    isDevelopment(chainId) ? 'Ethereum development' : `Ethereum chain ${chainId}`,
  ];
  return {
    network: String(chainId),
    title: beacon ? `${title} beacon chain` : title,
    ...(blockSeconds !== undefined && { blockSeconds }),
  };
}
