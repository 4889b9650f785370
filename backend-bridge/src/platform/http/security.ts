/** Security headers of every response, and requests that are rejected before any route. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { isLoopback } from './addresses.ts';
import { credentials } from './guard.ts';
import { HttpProblem, problemAt } from './problem.ts';

/**
 * Headers for an API that no page is meant to frame, embed or read across origins. There is no Access-Control-Allow-Origin
 * anywhere: CORS stays closed, the page reaches the bridge through Grafana's proxy.
 */
export function securityHeaders(): RequestHandler {
  const headers = headersOf();
  return (_req, res, next) => {
    for (const [name, value] of headers) {
      res.setHeader(name, value);
    }
    next();
  };
}

/** They depend on no request, so helmet computes them once. */
function headersOf(): [string, string][] {
  const headers: [string, string][] = [];
  const setHeader = (name: string, value: string) => void headers.push([name, value]);
  protect({} as IncomingMessage, { setHeader } as unknown as ServerResponse, () => undefined);
  return headers;
}

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  // Grafana or a proxy in front decides whether a host is HTTPS only.
  strictTransportSecurity: false,
  // For pages: nothing here is one.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  // `app.disable('x-powered-by')` omits it at no cost.
  xPoweredBy: false,
});

/** Paths in which an id may contain a slash: a correlationId or a category is any text. */
const SLASH_IN_ID = /^\/api\/v1\/(?:notifications\/.+\/seen|categories\/.+|packages\/[^/%]+\/endpoints\/.+)$/;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const ENCODED_SLASH = /%2f/i;
// Back slash, NUL and other control characters, plain or encoded.
const NEVER = /\\|%5c|%[01][0-9a-f]|%7f|[\u0000-\u001f\u007f]/i;
const PLAIN = /^[\w/-]*$/;

/**
 * Rejects paths that servers and proxies parse differently. Grafana's plugin proxy decodes a path once and does not clean
 * it, so `..%2F` from a page arrives here as `../../`, and `%2F` as `/`. Hence dot segments are rejected everywhere; an id that
 * may contain a slash is read from all segments between its neighbours ({@link joinSegments}), so that `a/b` and `a%2Fb`
 * name the same thing with and without that proxy; and `%2F` is rejected anywhere else.
 */
export function pathGuard(): RequestHandler {
  return (req, _res, next) => {
    const end = req.url.indexOf('?');
    const path = end === -1 ? req.url : req.url.slice(0, end);
    if (!PLAIN.test(path)) {
      checkPath(path);
    }
    next();
  };
}

function checkPath(path: string): void {
  if (DOT_SEGMENT.test(decodeSlashes(path))) {
    refusePath('a "." or ".." segment', 'segments other than "." and ".."');
  }
  if (NEVER.test(path)) {
    refusePath('a back slash or a control character', 'visible characters, and no back slash');
  }
  if (ENCODED_SLASH.test(path) && !SLASH_IN_ID.test(path)) {
    refusePath('an encoded slash (%2F)', 'an id without a slash');
  }
}

function decodeSlashes(path: string): string {
  return path.replace(/%2f|%5c|\\/gi, '/');
}

function refusePath(found: string, allowed: string): never {
  const detail = `The path holds ${found}; allowed is ${allowed}.`;
  throw problemAt('malformed', { pointer: 'path', found, allowed, detail });
}

/** The value of a wildcard parameter (`/categories/*category`): an id that may contain slashes. */
export function joinSegments(segments: string | string[] | undefined): string {
  return Array.isArray(segments) ? segments.join('/') : (segments ?? '');
}

/**
 * Rejects changes from pages of another origin (CSRF): a POST without a body needs no preflight. Browsers send Sec-Fetch-Site (Fetch
 * Metadata, section 2.2) to HTTPS and loopback URLs only, so without it `Origin` is compared with `Host`. Other clients send neither.
 * @param reads rejects reads as well, for a bridge that requires no token; links can be followed
 */
export function sameSiteOnly({ reads = false } = {}): RequestHandler {
  return (req, _res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if ((!isRead || (reads && !isNavigation(req))) && isCrossOrigin(req)) {
      throw new HttpProblem('forbidden', 'Requests from pages of another origin are rejected.');
    }
    next();
  };
}

const isNavigation = ({ headers }: Request): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

function isCrossOrigin(req: Request): boolean {
  const { 'sec-fetch-site': site, origin, host = '' } = req.headers;
  if (site !== undefined) {
    return site !== 'same-origin' && site !== 'none';
  }
  // A page of another origin can send a token only after a preflight, which fails. A proxy that adds one may forward the Origin.
  if (origin === undefined || credentials(req) !== undefined) {
    return false;
  }
  const page = URL.parse(origin);
  // Parsed with the scheme of the page, so that its default port is equal to none.
  return page === null || page.host !== URL.parse(`${page.protocol}//${host}`)?.host;
}

/**
 * Rejects other host names, against DNS rebinding: a page whose name resolves to this machine is same-origin for the browser, so neither
 * CORS nor Fetch Metadata stops it.
 * @param allowed lower-case names without a port; loopback names always are. Undefined: any name
 */
export function hostGuard(allowed: readonly string[] | undefined): RequestHandler {
  return (req, _res, next) => {
    if (hasTwoHosts(req.rawHeaders)) {
      const allowed = 'one Host header (RFC 9112, section 3.2)';
      throw new HttpProblem('malformed', `The request has more than one Host header; allowed is ${allowed}.`, {
        errors: [{ pointer: 'Host', found: 'more than one', allowed, detail: `Send ${allowed}.` }],
      });
    }
    const host = (req.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
    if (allowed !== undefined && host !== '' && !isLoopback(host) && !allowed.includes(host)) {
      throw new HttpProblem('forbidden', 'Unknown host name. Add it to NODEBELL_ALLOWED_HOSTS.');
    }
    next();
  };
}

/** Node uses the first one, while a proxy in front may have checked another. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1;
    }
  }
  return hosts > 1;
}
