/**
 * Cause of a failed connection, parsed from the Go network error that Grafana's alerting API returns.
 * Source: messages of Go's net.OpError, net.DNSError, crypto/tls and net/http. Pure.
 */
import { t } from '../i18n/t';

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

interface ConnectMessage {
  /** Index of the failed check: 0 is the name, 1 the port. */
  at: 0 | 1;
  detail: string;
  title: string;
  /** Text between backticks is code. */
  text: string;
}

const CONNECT_MESSAGES: Record<
  Exclude<ConnectCause, 'recovered'>,
  (place: { host: string; port: string }) => ConnectMessage
> = {
  name: (place) => ({
    at: 0,
    detail: t('config.connect.name-detail', 'no such host'),
    title: t('config.connect.name-title', 'Could not resolve {{host}}', place),
    text: t(
      'config.connect.name-text',
      'The Grafana host cannot resolve this name. With containers, put Grafana and the bridge on the same network and use the service name. Otherwise, use the IP address.'
    ),
  }),
  refused: (place) => ({
    at: 1,
    detail: t('config.connect.refused-detail', 'refused'),
    title: t('config.connect.refused-title', 'Connection refused by {{host}}:{{port}}', place),
    text: t(
      'config.connect.refused-text',
      'The host is up, but nothing is listening on port {{port}}. Either the bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` if Grafana runs on another host.',
      place
    ),
  }),
  timeout: (place) => ({
    at: 1,
    detail: t('config.connect.timeout-detail', 'timed out'),
    title: t('config.connect.timeout-title', 'Connection to {{host}}:{{port}} timed out', place),
    text: t(
      'config.connect.timeout-text',
      'The host may be down, a firewall may be dropping packets to port {{port}}, or the address may be wrong.',
      place
    ),
  }),
  route: (place) => ({
    at: 1,
    detail: t('config.connect.route-detail', 'no route'),
    title: t('config.connect.route-title', 'No network route to {{host}}', place),
    text: t(
      'config.connect.route-text',
      'The Grafana host has no network route to this address. Check the address. With containers, check that Grafana and the bridge are on the same network.'
    ),
  }),
  tls: (place) => ({
    at: 1,
    detail: t('config.connect.tls-detail', 'open, TLS handshake failed'),
    title: t('config.connect.tls-title', 'TLS connection to {{host}}:{{port}} failed', place),
    text: t(
      'config.connect.tls-text',
      'The bridge serves plain HTTP: use `http://`. Use `https://` only with a reverse proxy whose certificate the Grafana server trusts.'
    ),
  }),
  reset: (place) => ({
    at: 1,
    detail: t('config.connect.reset-detail', 'open, connection reset'),
    title: t('config.connect.reset-title', 'Connection reset by {{host}}:{{port}}', place),
    text: t(
      'config.connect.reset-text',
      'The connection was accepted, then closed before a response was sent. Check the logs of the bridge and of any reverse proxy in front of it.'
    ),
  }),
};

/** @param place host and port of the bridge, as displayed */
export const connectMessage = (
  cause: Exclude<ConnectCause, 'recovered'>,
  place: { host: string; port: string }
): ConnectMessage => CONNECT_MESSAGES[cause](place);

/** For an unknown cause. @param named the URL has a host name, which may not resolve */
export const unknownCauseMessage = (named: boolean): string =>
  named
    ? t(
        'config.connect.unknown-named',
        'Either the Grafana host cannot resolve the name, the bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` if Grafana runs on another host. Check the Grafana server log for the cause.'
      )
    : t(
        'config.connect.unknown',
        'Either the bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` if Grafana runs on another host. Check the Grafana server log for the cause.'
      );
