/** Names senders in rate limits, quotas and keys. */
import { isIPv6 } from 'node:net';
import type { Request, Response } from 'express';
import ipaddr from 'ipaddr.js';

/** Key of a rate limit: the token, otherwise the address; for IPv6 the /64, since one host has all of it (RFC 4291, section 2.5.1). */
export function senderKey(senderId: string | undefined, address: string | undefined): string {
  if (senderId !== undefined) {
    return `token ${senderId}`;
  }
  // The test of a regular expression, which an address without a colon does not need.
  if (address === undefined || !address.includes(':') || !isIPv6(address)) {
    return address ?? 'unknown';
  }
  const parsed = ipaddr.process(address);
  return 'parts' in parsed
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}

/** The {@link senderKey} of a request; behind `guard.sender`. */
export const senderOf = (req: Request, res: Response): string =>
  senderKey(res.locals.sender?.id, req.socket.remoteAddress);
