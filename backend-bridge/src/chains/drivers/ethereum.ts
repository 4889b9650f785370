/**
 * Ethereum's JSON-RPC (execution-apis: eth_syncing, eth_blockNumber, eth_chainId; net_peerCount and web3_clientVersion as all
 * clients have them).
 */
import { compact, isObject, type Json, optional, quantity, shownText } from '../answers.ts';
import { ethereumNetwork, isDevelopment } from '../networks.ts';
import { badAnswer, type Figures, type Identity, type Reading, type Starting } from '../reading.ts';
import { callAll, resultIfAny, resultOf } from '../rpc.ts';
import type { Driver, RawAnswers } from './driver.ts';

const ALWAYS = ['eth_syncing', 'eth_blockNumber', 'net_peerCount'];
const IDENTITY = ['eth_chainId', 'web3_clientVersion'];
/** What geth still has to complete of the state when it has all blocks (eth_syncing, "healing…"). */
const HEALING = ['healingTrienodes', 'healingBytecode'];

export const ethereum: Driver = {
  port: 8545,
  interval: 15,
  title: 'Ethereum',
  fetch: ({ ask, identity, memory }) =>
    callAll(identity ? [...ALWAYS, ...IDENTITY] : ALWAYS, { ask, path: '', memory, version: '2.0' }),
  read: readEthereum,
};

export function readEthereum(answers: RawAnswers, known: Identity): Reading {
  const syncing = resultOf(answers, 'eth_syncing');
  const block = quantity(resultOf(answers, 'eth_blockNumber'), 'eth_blockNumber');
  // Some nodes, for development above all, do not know the call: then nothing is said of peers.
  const peers = optional(resultIfAny(answers, 'net_peerCount'), (count) => quantity(count, 'net_peerCount'));
  const identity = readIdentity(answers);
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
  throw badAnswer('not-understood', "The node's answer to eth_syncing is neither false nor a list of blocks.");
}

function readProgress(syncing: Json, block: number, rest: Pick<Figures, 'peers' | 'identity'>): Reading {
  const { currentBlock, highestBlock } = syncing;
  if (currentBlock === undefined && highestBlock === undefined) {
    // Some layer 2 nodes tell other things here.
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

/** Without a block a node has nothing yet; that it does not call this syncing does not make it synced. */
function notBegun(current: number, rest: Pick<Figures, 'peers' | 'identity'>): Starting {
  return {
    kind: 'starting',
    current,
    ...(rest.peers === 0
      ? { cause: 'no-peers', sentence: 'It has no block yet, and no peer to get blocks from.' }
      : { cause: 'no-target', sentence: 'It has no block yet, and does not know yet how far the chain is.' }),
    ...rest,
  };
}

function readIdentity(answers: RawAnswers): Identity {
  const chainId = optional(resultIfAny(answers, 'eth_chainId'), (id) => quantity(id, 'eth_chainId'));
  const version = shownText(resultIfAny(answers, 'web3_clientVersion'));
  return { ...(chainId !== undefined && ethereumNetwork(chainId)), ...(version !== undefined && { version }) };
}
