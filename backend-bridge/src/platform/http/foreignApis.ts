/** Where clients of other programs' APIs put their token, and the form of errors that they expect. */
import type { IncomingMessage } from 'node:http';
import {
  ALERTMANAGER_BASE,
  GOTIFY_BASE,
  NTFY_BASE,
  ONCALL_BASE,
  PAGERDUTY_BASE,
} from '../../../contract/foreignApis.ts';
import type { Problem } from '../../../contract/problem.ts';

/** A token beside `Authorization: Bearer`. */
export interface PlacedToken {
  token: string;
  /** It is in the path, where the admin token must not be. */
  inPath?: true;
}

type Received = Pick<IncomingMessage, 'headers' | 'url'> & { body?: unknown };

export interface ForeignApi {
  base: string;
  tokenOf: (req: Received) => PlacedToken | undefined;
  /** Default: the problem document. */
  errorOf?: (problem: Problem) => unknown;
}

const FOREIGN_APIS: readonly ForeignApi[] = [
  { base: ALERTMANAGER_BASE, tokenOf: basicPassword, errorOf: ({ detail }) => detail },
  // ntfy's server, errors.go: 40000 is any invalid request, 40301 forbidden, 41301 too large, 42901 too many.
  {
    base: NTFY_BASE,
    tokenOf: basicPassword,
    errorOf: ({ status, detail }) => ({ code: status * 100 + (status === 400 ? 0 : 1), http: status, error: detail }),
  },
  // Gotify API, model Error.
  {
    base: GOTIFY_BASE,
    tokenOf: ({ headers }) => placed(headers['x-gotify-key']),
    errorOf: ({ status, title, detail }) => ({ error: title, errorCode: status, errorDescription: detail }),
  },
  // PagerDuty, Events API v2: 400 with a list of texts.
  {
    base: PAGERDUTY_BASE,
    tokenOf: ({ body }) => placed(routingKey(body)),
    errorOf: ({ detail, errors }) => ({
      status: 'invalid event',
      message: 'Event object is invalid',
      errors: errors.length > 0 ? errors.map((error) => error.detail) : [detail],
    }),
  },
  {
    base: ONCALL_BASE,
    tokenOf: ({ url = '' }) => {
      const [, key] = url.slice(ONCALL_BASE.length + 1).split(/[/?]/);
      return key ? { token: unescaped(key), inPath: true } : undefined;
    },
  },
];

/** @param url or path of a request */
export function foreignApiAt(url: string): ForeignApi | undefined {
  // Express ignores case.
  const path = url.toLowerCase();
  return FOREIGN_APIS.find(({ base }) => path.startsWith(base) && /^(?:[/?]|$)/.test(path.slice(base.length)));
}

/** Keys in paths of OnCall; anything after the base that is no word of its own paths may be one. */
const ONCALL_PATH = /\/integrations\/[^\s?"]*/gi;
const ONCALL_WORDS =
  /^(?:integrations|v1|grafana_alerting|grafana|alertmanager|webhook|formatted_webhook|heartbeat|)$/i;

/** Without the keys in paths of OnCall. */
export const withoutKeys = (text: string): string =>
  text.replace(ONCALL_PATH, (path) =>
    path
      .split('/')
      .map((segment) => (ONCALL_WORDS.test(segment) ? segment : '[redacted]'))
      .join('/')
  );

const placed = (token: unknown): PlacedToken | undefined =>
  typeof token === 'string' && token !== '' ? { token } : undefined;

/** Basic authentication (RFC 7617) with the token as password: some clients have no other. */
function basicPassword({ headers }: Received): PlacedToken | undefined {
  const encoded = /^basic +([\w+/=-]+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  return text.includes(':') ? { token: text.slice(text.indexOf(':') + 1) } : undefined;
}

/** @param body the bytes, once they are read */
function routingKey(body: unknown): unknown {
  try {
    const event: unknown = Buffer.isBuffer(body) ? JSON.parse(body.toString()) : undefined;
    return (event as { routing_key?: unknown } | null | undefined)?.routing_key;
  } catch {
    // The handler reports it.
    return undefined;
  }
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
