/**
 * Bitcoin's JSON-RPC, which its forks share (bitcoincore.org, RPC documentation: getblockchaininfo, getnetworkinfo). Only
 * blocks and headers count: `verificationprogress` is 1 on a node without blocks.
 */
import { compact } from '../../../../contract/compact.ts';
import { isObject } from '../../../../contract/text.ts';
import {
  badResponse,
  type Identity,
  type Json,
  NodeProblem,
  optional,
  type Reading,
  shownText,
  wholeNumber,
  withoutTarget,
} from './reading.ts';
import { callAll, type Driver, outcomeOf, type RawResponses, resultIfAny, resultOf } from './driver.ts';

/** RPC_IN_WARMUP (bitcoin, src/rpc/protocol.h). */
const WARMING_UP = -28;
/** The median time of eleven blocks is about five blocks old. */
const MEDIAN_BLOCKS = 5;

export const bitcoin: Driver = {
  port: 8332,
  interval: 30,
  title: 'Bitcoin',
  fetch: ({ query, rpc }) => callAll(['getblockchaininfo', 'getnetworkinfo'], { query, path: '', rpc, version: '1.0' }),
  read: readBitcoin,
};

export function readBitcoin(responses: RawResponses): Reading {
  const outcome = outcomeOf(responses['getblockchaininfo']);
  if ('error' in outcome && outcome.error.code === WARMING_UP) {
    const sentence = `The node is starting: ${outcome.error.message}`;
    throw new NodeProblem({ kind: 'starting', cause: 'warming-up', sentence, identity: {} });
  }
  const info = resultOf(responses, 'getblockchaininfo');
  if (!isObject(info)) {
    throw badResponse('not-understood', 'Unexpected response to getblockchaininfo: not an object.');
  }
  const current = wholeNumber(info['blocks'], 'blocks');
  const target = Math.max(current, readTarget(info));
  const responded = resultIfAny(responses, 'getnetworkinfo');
  const network = isObject(responded) ? responded : {};
  const peers = optional(network['connections'], (connections) => wholeNumber(connections, 'connections'));
  const identity = readIdentity(info, network);
  const rest = compact<{ peers?: number; identity: Identity }>({ peers, identity });
  const initial = info['initialblockdownload'] === true || info['initial_block_download_complete'] === false;
  if (initial && target === current) {
    return withoutTarget(current, rest);
  }
  const tipTime = readTipTime(info, identity);
  return {
    kind: 'figures',
    current,
    target,
    ...(initial && { unfinished: 'initial-download' }),
    ...(tipTime !== undefined && { tipTime }),
    ...rest,
  };
}

/** Zcash and its forks estimate the height by the clock; some of them report no headers. */
function readTarget(info: Json): number {
  const headers = info['headers'] === undefined ? 0 : wholeNumber(info['headers'], 'headers');
  const estimated = info['headers'] === undefined && info['estimatedheight'] !== undefined;
  return estimated ? wholeNumber(info['estimatedheight'], 'estimatedheight') : headers;
}

/** `time` is the time of the newest block (bitcoind 23 and later); without it, it is estimated from `mediantime`. */
function readTipTime(info: Json, { blockSeconds }: Identity): number | undefined {
  const time = optional(info['time'], (seconds) => wholeNumber(seconds, 'time'));
  const median = optional(info['mediantime'], (seconds) => wholeNumber(seconds, 'mediantime'));
  return time ?? (median === undefined ? undefined : median + MEDIAN_BLOCKS * (blockSeconds ?? 0));
}

function readIdentity(info: Json, network: Json): Identity {
  const subversion = shownText(network['subversion']);
  // Enclosed in slashes (BIP 14).
  const version = subversion?.replace(/^\/|\/$/g, '');
  return { ...bitcoinNetwork(shownText(info['chain']), subversion), ...(version && { version }) };
}

/** Bitcoin and its forks by `subversion`, with their block time in seconds. */
const BITCOIN_FORKS: readonly [pattern: RegExp, title: string, blockSeconds: number][] = [
  [/^\/Satoshi:/, 'Bitcoin', 600],
  [/^\/LitecoinCore:/, 'Litecoin', 150],
  [/^\/(MagicBean|Zebra):/, 'Zcash', 75],
  [/^\/Bitcoin Cash Node:/, 'Bitcoin Cash', 600],
  [/^\/Shibetoshi:/, 'Dogecoin', 60],
  [/^\/Dash Core:/, 'Dash', 150],
];

/**
 * @param chain `main`, `test`, `testnet4`, `signet` or `regtest`
 * @param subversion undefined: not queried or not reported
 */
export function bitcoinNetwork(chain: string | undefined, subversion: string | undefined): Identity {
  const [, coin, blockSeconds] =
    BITCOIN_FORKS.find(([pattern]) => subversion !== undefined && pattern.test(subversion)) ?? [];
  const title = coin && (chain === undefined || chain === 'main' ? coin : `${coin} ${chain}`);
  return {
    ...(chain !== undefined && { network: chain }),
    ...(title !== undefined && { title }),
    // For an unknown fork, the slowest is assumed. Test networks have long gaps, and regtest makes blocks on demand.
    ...(chain === 'main' && { blockSeconds: blockSeconds ?? 600 }),
  };
}
