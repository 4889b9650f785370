/** monerod's get_info (getmonero.org, daemon RPC), also in its restricted mode, which tells of no peers and no version. */
import { compact, isObject, type Json, optional, shownText, wholeNumber } from '../answers.ts';
import { moneroNetwork } from '../networks.ts';
import { badAnswer, type Identity, type Reading, type Starting, wordsOf } from '../reading.ts';
import type { Driver, RawAnswers } from './driver.ts';

export const monero: Driver = {
  port: 18081,
  interval: 30,
  title: 'Monero',
  fetch: async ({ ask }) => ({ get_info: await ask('get_info') }),
  read: readMonero,
};

export function readMonero(answers: RawAnswers): Reading {
  const info = infoOf(answers['get_info']);
  const peers = readPeers(info);
  const rest = compact<{ peers?: number; identity: Identity }>({ peers, identity: readIdentity(info) });
  if (info['status'] !== 'OK') {
    return notReady(info['status'], rest);
  }
  const current = readHeight(info);
  const told = wholeNumber(info['target_height'], 'target_height');
  const target = Math.max(current, told);
  if (info['synchronized'] === false && target === current) {
    return {
      kind: 'starting',
      current,
      ...(peers === 0
        ? { cause: 'no-peers', sentence: 'It has no peer yet to learn from how far the chain is.' }
        : { cause: 'no-target', sentence: 'It does not know yet how far the chain is.' }),
      ...rest,
    };
  }
  return { kind: 'figures', current, target, ...rest };
}

/** As it stands, or as the result of the same call by JSON-RPC. */
function infoOf(answer: unknown): Json {
  const info = isObject(answer) && isObject(answer['result']) ? answer['result'] : answer;
  if (!isObject(info) || typeof info['status'] !== 'string') {
    throw badAnswer('not-understood', "The node's answer to get_info has no status.");
  }
  return info;
}

function notReady(status: unknown, rest: { peers?: number; identity: Identity }): Starting {
  if (status !== 'BUSY') {
    throw badAnswer('rpc-error', `The node answers get_info with an error: ${wordsOf(String(status))}.`);
  }
  return { kind: 'starting', cause: 'warming-up', sentence: 'The node says that it is busy.', ...rest };
}

/** `height` counts blocks. While another node answers for it (bootstrap daemon), only `height_without_bootstrap` is its own. */
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
