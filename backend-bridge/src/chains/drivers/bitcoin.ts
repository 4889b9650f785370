/**
 * Bitcoin's JSON-RPC, which its relatives share (bitcoincore.org, RPC documentation: getblockchaininfo, getnetworkinfo). Judged
 * by blocks and headers: `verificationprogress` is 1 on a node that has no block yet.
 */
import { compact, isObject, type Json, optional, shownText, wholeNumber } from '../answers.ts';
import { bitcoinNetwork } from '../networks.ts';
import { badAnswer, type Identity, NodeProblem, type Reading } from '../reading.ts';
import { callAll, outcomeOf, resultIfAny, resultOf } from '../rpc.ts';
import type { Driver, RawAnswers } from './driver.ts';

/** RPC_IN_WARMUP (bitcoin, src/rpc/protocol.h). */
const WARMING_UP = -28;
/** The median time of eleven blocks lies about five blocks behind the newest. */
const MEDIAN_BLOCKS = 5;

export const bitcoin: Driver = {
  port: 8332,
  interval: 30,
  title: 'Bitcoin',
  fetch: ({ ask, memory }) =>
    callAll(['getblockchaininfo', 'getnetworkinfo'], { ask, path: '', memory, version: '1.0' }),
  read: readBitcoin,
};

export function readBitcoin(answers: RawAnswers): Reading {
  const outcome = outcomeOf(answers['getblockchaininfo']);
  if ('error' in outcome && outcome.error.code === WARMING_UP) {
    const sentence = `The node is starting: ${outcome.error.message}`;
    throw new NodeProblem({ kind: 'starting', cause: 'warming-up', sentence, identity: {} });
  }
  const info = resultOf(answers, 'getblockchaininfo');
  if (!isObject(info)) {
    throw badAnswer('not-understood', "The node's answer to getblockchaininfo holds nothing.");
  }
  const current = wholeNumber(info['blocks'], 'blocks');
  const target = Math.max(current, readTarget(info));
  const answered = resultIfAny(answers, 'getnetworkinfo');
  const network = isObject(answered) ? answered : {};
  const peers = optional(network['connections'], (connections) => wholeNumber(connections, 'connections'));
  const identity = readIdentity(info, network);
  const rest = compact<{ peers?: number; identity: Identity }>({ peers, identity });
  const initial = info['initialblockdownload'] === true || info['initial_block_download_complete'] === false;
  if (initial && target === current) {
    return {
      kind: 'starting',
      current,
      ...(peers === 0
        ? { cause: 'no-peers', sentence: 'It has no peer yet to learn from how far the chain is.' }
        : { cause: 'no-target', sentence: 'It does not know yet how far the chain is.' }),
      ...rest,
    };
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

/** Zcash's relatives estimate the height by the clock; some of them tell no headers. */
function readTarget(info: Json): number {
  const headers = info['headers'] === undefined ? 0 : wholeNumber(info['headers'], 'headers');
  const estimated = info['headers'] === undefined && info['estimatedheight'] !== undefined;
  return estimated ? wholeNumber(info['estimatedheight'], 'estimatedheight') : headers;
}

/** `time` is of the newest block (bitcoind 23 and later); from `mediantime` it is estimated. */
function readTipTime(info: Json, { blockSeconds }: Identity): number | undefined {
  const time = optional(info['time'], (seconds) => wholeNumber(seconds, 'time'));
  const median = optional(info['mediantime'], (seconds) => wholeNumber(seconds, 'mediantime'));
  return time ?? (median === undefined ? undefined : median + MEDIAN_BLOCKS * (blockSeconds ?? 0));
}

function readIdentity(info: Json, network: Json): Identity {
  const subversion = shownText(network['subversion']);
  // Decorated by slashes (BIP 14).
  const version = subversion?.replace(/^\/|\/$/g, '');
  return { ...bitcoinNetwork(shownText(info['chain']), subversion), ...(version && { version }) };
}
