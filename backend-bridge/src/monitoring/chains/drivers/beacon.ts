/** The beacon API of consensus clients (ethereum.github.io/beacon-APIs): node/syncing, node/peer_count, node/version. */
import { compact } from '../../../../contract/compact.ts';
import { isObject } from '../../../../contract/text.ts';
import {
  badResponse,
  decimalText,
  type Identity,
  type Json,
  NodeProblem,
  optional,
  type Reading,
  shownText,
} from './reading.ts';
import type { Query } from './driver.ts';
import { type Driver, type RawResponses } from './driver.ts';
import { ethereumNetwork } from './ethereum.ts';

const SYNCING = 'eth/v1/node/syncing';
const PEERS = 'eth/v1/node/peer_count';
const VERSION = 'eth/v1/node/version';
/** The smallest response that identifies the network. */
const DEPOSIT = 'eth/v1/config/deposit_contract';

export const beacon: Driver = {
  port: 3500,
  interval: 15,
  title: 'Ethereum beacon chain',
  async fetch({ query, identity }) {
    const responses: RawResponses = { syncing: await query(SYNCING), peers: await queryOptional(query, PEERS) };
    if (identity) {
      responses['version'] = await queryOptional(query, VERSION);
      responses['deposit'] = await queryOptional(query, DEPOSIT);
    }
    return responses;
  },
  read: readBeacon,
};

async function queryOptional(query: Query, path: string): Promise<unknown> {
  try {
    return await query(path);
  } catch (error) {
    if (error instanceof NodeProblem) {
      return undefined;
    }
    throw error;
  }
}

export function readBeacon(responses: RawResponses): Reading {
  const syncing = dataOf(responses['syncing']);
  if (syncing === undefined) {
    throw badResponse('not-understood', 'Unexpected response to node/syncing: no data.');
  }
  const current = decimalText(syncing['head_slot'], 'head_slot');
  const distance = decimalText(syncing['sync_distance'], 'sync_distance');
  if (syncing['el_offline'] === true) {
    throw badResponse(
      'execution-offline',
      'The execution client is offline, so the beacon node cannot follow the chain.'
    );
  }
  const peers = optional(dataOf(responses['peers'])?.['connected'], (count) => decimalText(count, 'connected'));
  return {
    kind: 'figures',
    current,
    target: decimalText(current + distance, 'sync_distance'),
    ...(syncing['is_optimistic'] === true && { unfinished: 'unverified' }),
    ...compact<{ peers?: number; identity: Identity }>({ peers, identity: readIdentity(responses) }),
  };
}

function readIdentity(responses: RawResponses): Identity {
  const chainId = optional(dataOf(responses['deposit'])?.['chain_id'], (id) => decimalText(id, 'chain_id'));
  const version = shownText(dataOf(responses['version'])?.['version']);
  return { ...(chainId !== undefined && ethereumNetwork(chainId, true)), ...(version !== undefined && { version }) };
}

function dataOf(response: unknown): Json | undefined {
  return isObject(response) && isObject(response['data']) ? response['data'] : undefined;
}
