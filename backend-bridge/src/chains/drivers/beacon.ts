/** The beacon API of consensus clients (ethereum.github.io/beacon-APIs): node/syncing, node/peer_count, node/version. */
import { compact, decimalText, isObject, type Json, optional, shownText } from '../answers.ts';
import type { Ask } from '../ask.ts';
import { ethereumNetwork } from '../networks.ts';
import { badAnswer, type Identity, NodeProblem, type Reading } from '../reading.ts';
import type { Driver, RawAnswers } from './driver.ts';

const SYNCING = 'eth/v1/node/syncing';
const PEERS = 'eth/v1/node/peer_count';
const VERSION = 'eth/v1/node/version';
/** The least that tells which network it is. */
const DEPOSIT = 'eth/v1/config/deposit_contract';

export const beacon: Driver = {
  port: 3500,
  interval: 15,
  title: 'Ethereum beacon chain',
  async fetch({ ask, identity }) {
    const answers: RawAnswers = { syncing: await ask(SYNCING), peers: await askIfAny(ask, PEERS) };
    if (identity) {
      answers['version'] = await askIfAny(ask, VERSION);
      answers['deposit'] = await askIfAny(ask, DEPOSIT);
    }
    return answers;
  },
  read: readBeacon,
};

async function askIfAny(ask: Ask, path: string): Promise<unknown> {
  try {
    return await ask(path);
  } catch (error) {
    if (error instanceof NodeProblem) {
      return undefined;
    }
    throw error;
  }
}

export function readBeacon(answers: RawAnswers): Reading {
  const syncing = dataOf(answers['syncing']);
  if (syncing === undefined) {
    throw badAnswer('not-understood', "The node's answer to node/syncing has no data.");
  }
  const current = decimalText(syncing['head_slot'], 'head_slot');
  const distance = decimalText(syncing['sync_distance'], 'sync_distance');
  if (syncing['el_offline'] === true) {
    throw badAnswer('execution-offline', 'The beacon node has lost its execution client, and cannot follow the chain.');
  }
  const peers = optional(dataOf(answers['peers'])?.['connected'], (count) => decimalText(count, 'connected'));
  return {
    kind: 'figures',
    current,
    target: decimalText(current + distance, 'sync_distance'),
    ...(syncing['is_optimistic'] === true && { unfinished: 'unverified' }),
    ...compact<{ peers?: number; identity: Identity }>({ peers, identity: readIdentity(answers) }),
  };
}

function readIdentity(answers: RawAnswers): Identity {
  const chainId = optional(dataOf(answers['deposit'])?.['chain_id'], (id) => decimalText(id, 'chain_id'));
  const version = shownText(dataOf(answers['version'])?.['version']);
  return { ...(chainId !== undefined && ethereumNetwork(chainId, true)), ...(version !== undefined && { version }) };
}

function dataOf(answer: unknown): Json | undefined {
  return isObject(answer) && isObject(answer['data']) ? answer['data'] : undefined;
}
