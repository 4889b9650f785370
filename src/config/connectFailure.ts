/**
 * Cause of a failed connection, parsed from the Go network error that Grafana's alerting API returns.
 * Source: messages of Go's net.OpError, net.DNSError, crypto/tls and net/http. Pure.
 */

export type ConnectCause = 'name' | 'refused' | 'timeout' | 'route' | 'tls' | 'reset' | 'recovered';

export interface ConnectFailure {
  cause: ConnectCause;
  /** The IP address, if the message contains it: then the name resolved. */
  ip?: string;
}

/** Order matters: a failed DNS lookup can also be a timeout and is reported as a lookup failure. */
const PATTERNS: ReadonlyArray<[ConnectCause, RegExp]> = [
  ['name', /\blookup \S+.*?: |no such host|name resolution/i],
  ['refused', /connection refused/i],
  ['route', /no route to host|(network|host) is (unreachable|down)/i],
  ['tls', /x509:|tls:|HTTP response to HTTPS client/i],
  ['timeout', /i\/o timeout|deadline exceeded|timed out|Client\.Timeout/i],
  ['reset', /connection reset|broken pipe|\bEOF\b/i],
  ['recovered', /status(?: code)?\b.{0,12}\b[2-5]\d\d\b|\b[45]\d\d [A-Z]/i],
];

/** @returns undefined if the message is not recognized */
export function readConnectFailure(message: string): ConnectFailure | undefined {
  const cause = PATTERNS.find(([, pattern]) => pattern.test(message))?.[0];
  const ip = /dial tcp (?:\[([0-9a-f:]+)\]|(\d+(?:\.\d+){3})):\d+/i.exec(message);
  const address = ip?.[1] ?? ip?.[2];
  return cause && { cause, ...(address !== undefined && { ip: address }) };
}
