/** Outgoing requests to a monitor, whose URL is a setting. */
import { readAddressRules } from '../../platform/http/addresses.ts';
import { createOutbound, type Outbound } from '../../platform/http/outbound.ts';

export const MONITOR_TIMEOUT_MS = 10_000;

/** Requests to the host of a setting, which may be on this machine, whatever its name. */
export function monitorOutbound(url: string, maxBytes: number): Outbound {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const allow = readAddressRules([host, '127.0.0.0/8', '::1']);
  return createOutbound({ allow, timeoutMs: MONITOR_TIMEOUT_MS, maxBytes });
}

/** A JSON body; undefined if it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
