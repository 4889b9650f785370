/** monerod's get_info (getmonero.org, daemon RPC), also in its restricted mode, which reports no peers and no version. */
import { compact } from '../../../../contract/compact.ts';
import { isObject, singleLine } from '../../../../contract/text.ts';
import {
  badResponse,
  type Identity,
  type Json,
  optional,
  type Reading,
  shownText,
  type Starting,
  wholeNumber,
  withoutTarget,
} from './reading.ts';
import { type Driver, type RawResponses } from './driver.ts';

export const monero: Driver = {
  port: 18081,
  interval: 30,
  title: 'Monero',
  fetch: async ({ query }) => ({ get_info: await query('get_info') }),
  read: readMonero,
};

export function readMonero(responses: RawResponses): Reading {
  const info = infoOf(responses['get_info']);
  const peers = readPeers(info);
  const rest = compact<{ peers?: number; identity: Identity }>({ peers, identity: readIdentity(info) });
  if (info['status'] !== 'OK') {
    return notReady(info['status'], rest);
  }
  const current = readHeight(info);
  const reported = wholeNumber(info['target_height'], 'target_height');
  const target = Math.max(current, reported);
  if (info['synchronized'] === false && target === current) {
    return withoutTarget(current, rest);
  }
  return { kind: 'figures', current, target, ...rest };
}

/** The plain response, or the result of the same call by JSON-RPC. */
function infoOf(response: unknown): Json {
  const info = isObject(response) && isObject(response['result']) ? response['result'] : response;
  if (!isObject(info) || typeof info['status'] !== 'string') {
    throw badResponse('not-understood', 'Unexpected response to get_info: no status.');
  }
  return info;
}

function notReady(status: unknown, rest: { peers?: number; identity: Identity }): Starting {
  if (status !== 'BUSY') {
    throw badResponse('rpc-error', `The node returned an error for get_info: ${singleLine(String(status))}.`);
  }
  return { kind: 'starting', cause: 'warming-up', sentence: 'The node reports that it is busy.', ...rest };
}

/** `height` counts blocks. While it relays another node (bootstrap daemon), only `height_without_bootstrap` is its own. */
function readHeight(info: Json): number {
  const height = wholeNumber(info['height'], 'height');
  const own = optional(info['height_without_bootstrap'], (blocks) => wholeNumber(blocks, 'height_without_bootstrap'));
  return info['untrusted'] === true && own !== undefined && own > 0 ? own : height;
}

function readPeers(info: Json): number | undefined {
  return info['restricted'] === true
    ? undefined
    : optional(
        info['incoming_connections_count'],
        (incoming) =>
          wholeNumber(incoming, 'incoming_connections_count') +
          wholeNumber(info['outgoing_connections_count'], 'outgoing_connections_count')
      );
}

function readIdentity(info: Json): Identity {
  const version = shownText(info['version']);
  return { ...moneroNetwork(shownText(info['nettype'])), ...(version !== undefined && { version }) };
}

/** @param nettype `mainnet`, `stagenet`, `testnet` or `fakechain` */
export function moneroNetwork(nettype: string | undefined): Identity {
  const title = nettype === undefined || nettype === 'mainnet' ? 'Monero' : `Monero ${nettype}`;
  return {
    ...(nettype !== undefined && { network: nettype }),
    title,
    ...(nettype === 'mainnet' && { blockSeconds: 120 }),
  };
}
