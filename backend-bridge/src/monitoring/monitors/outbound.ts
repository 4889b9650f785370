/** Outgoing requests to a monitor, whose URL is a setting. */
import { readAddressRules, rulesForSetting } from '../../platform/http/addresses.ts';
import { createOutbound, type Outbound } from '../../platform/http/outbound.ts';

export const MONITOR_TIMEOUT_MS = 10_000;

/** Requests to the host of a setting, which may be on this machine, whatever its name. */
export function monitorOutbound(url: string, maxBytes: number): Outbound {
  const allow = readAddressRules([...rulesForSetting(url), '127.0.0.0/8', '::1']);
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
