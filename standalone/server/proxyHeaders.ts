import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { grafanaContext, type Identity } from './identity.ts';

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const NEVER_SENT_ON = [
  ...HOP_BY_HOP,
  'host',
  'authorization',
  'cookie',
  'set-cookie',
  'origin',
  'referer',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-grafana-device-id',
  'x-grafana-user',
];

const NEVER_SENT_BACK = [...HOP_BY_HOP, 'alt-svc', 'close', 'server', 'set-cookie', 'strict-transport-security'];

/**
 * Headers that a client names as hop-by-hop are removed (RFC 9110, section 7.6.1). Go does so last, so Grafana's own headers and the
 * route's are removed as well if they are named.
 */
const namedByConnection = (connection: string | undefined): string[] =>
  (connection ?? '').split(',').map((name) => name.trim().toLowerCase());

function without(headers: OutgoingHttpHeaders, names: string[]): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** The request headers: the client's without credentials, Grafana's own, and the route's, in that order. */
export function requestHeaders(
  request: IncomingMessage,
  identity: Identity,
  routeHeaders: Record<string, string>,
  signedId?: string
): OutgoingHttpHeaders {
  const { headers, socket } = request;
  const client = socket.remoteAddress ?? '';
  const before = headers['x-forwarded-for'];
  const sent: OutgoingHttpHeaders = {
    ...without(headers, NEVER_SENT_ON),
    'x-grafana-referer': headers.referer ?? '',
    'x-forwarded-for': before ? `${String(before)}, ${client}` : client,
    // Grafana writes UTF-8 into the header as it is; Node takes one character per byte.
    'x-grafana-context': Buffer.from(grafanaContext(identity), 'utf8').toString('latin1'),
  };
  if (signedId !== undefined) {
    // Set and never taken out: without one of Grafana's own, that of the client passes.
    sent['x-grafana-id'] = signedId;
  }
  for (const [name, value] of Object.entries(routeHeaders)) {
    sent[name.toLowerCase()] = value;
  }
  return without(sent, namedByConnection(headers.connection));
}

/** The response headers: the bridge's, with a sandbox and without caching. */
export function responseHeaders(upstream: IncomingMessage): OutgoingHttpHeaders {
  const { via } = upstream.headers;
  return {
    ...without(upstream.headers, NEVER_SENT_BACK),
    'content-security-policy': 'sandbox',
    via: via ? `${upstream.httpVersion} grafana, ${via}` : `${upstream.httpVersion} grafana`,
    'cache-control': 'no-store',
  };
}
