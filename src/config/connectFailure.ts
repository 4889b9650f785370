/**
 * Why Grafana's server could not connect, read from the words of Go's `net` package, which Grafana's alerting repeats.
 * Source: messages of Go's net.OpError, net.DNSError, crypto/tls and net/http. Pure.
 */

export type ConnectCause = 'name' | 'refused' | 'timeout' | 'route' | 'tls' | 'cut' | 'answered';

export interface ConnectFailure {
  cause: ConnectCause;
  /** The IP address that was tried, where it is told: the name resolves. */
  ip?: string;
}

/** In this order: the failed look-up of a name may be a time-out as well, and is told as the name. */
const WORDS: ReadonlyArray<[ConnectCause, RegExp]> = [
  ['name', /\blookup \S+.*?: |no such host|name resolution/i],
  ['refused', /connection refused/i],
  ['route', /no route to host|(network|host) is (unreachable|down)/i],
  ['tls', /x509:|tls:|HTTP response to HTTPS client/i],
  ['timeout', /i\/o timeout|deadline exceeded|timed out|Client\.Timeout/i],
  ['cut', /connection reset|broken pipe|\bEOF\b/i],
  ['answered', /status(?: code)?\b.{0,12}\b[2-5]\d\d\b|\b[45]\d\d [A-Z]/i],
];

/** @returns undefined where the sentence says nothing that is known here */
export function readConnectFailure(sentence: string): ConnectFailure | undefined {
  const cause = WORDS.find(([, pattern]) => pattern.test(sentence))?.[0];
  const ip = /dial tcp (?:\[([0-9a-f:]+)\]|(\d+(?:\.\d+){3})):\d+/i.exec(sentence);
  const tried = ip?.[1] ?? ip?.[2];
  return cause && { cause, ...(tried !== undefined && { ip: tried }) };
}
