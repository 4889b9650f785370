/** Author of a request's change. */
import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { Actor } from '../../../contract/audit.ts';

/** Addresses of `X-Forwarded-For` that are kept: the last ones, since anybody can write the first ones. */
const KEPT_ADDRESSES = 5;

/** Behind the admin guard, which identifies the user and the token. */
export function actorOf(req: Request, res: Response): Actor {
  const { person, isAdmin } = res.locals;
  const peer = plainAddress(req.socket.remoteAddress ?? '');
  if (person !== undefined) {
    const address = forwardedFor(req) ?? peer;
    return { kind: 'user', name: person.login, key: person.key, ...(address !== undefined && { address }) };
  }
  const from = peer === undefined ? {} : { address: peer };
  if (isAdmin !== true) {
    return { kind: 'open', name: '', ...from };
  }
  // The command line names itself; anybody with the admin token can do the same.
  return { kind: /^nodebell\//.test(req.headers['user-agent'] ?? '') ? 'cli' : 'token', name: 'admin', ...from };
}

/** Behind the guard of senders. */
export function senderActorOf(req: Request, res: Response): Actor {
  const { sender } = res.locals;
  const address = plainAddress(req.socket.remoteAddress ?? '');
  const by =
    sender === undefined ? { kind: 'open' as const, name: '' } : { kind: 'sender' as const, name: sender.name };
  return { ...by, ...(address !== undefined && { address }) };
}

/** The header as Grafana sends it, with the address of its client last, without repeats. */
function forwardedFor(req: Request): string | undefined {
  const addresses = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((one) => plainAddress(one.trim()))
    .filter((one) => one !== undefined)
    .filter((one, index, all) => one !== all[index - 1]);
  return addresses.length === 0 ? undefined : addresses.slice(-KEPT_ADDRESSES).join(', ');
}

/** IPv4 in IPv6 is written as IPv4. @returns undefined if it is not an address */
export function plainAddress(text: string): string | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.process(text).toString();
}
