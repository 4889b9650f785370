/**
 * All outgoing requests of the bridge (icons, manifests, chain nodes, monitors): their URLs come from packages, senders and the
 * operator. A name is resolved once, its addresses are checked, and the connection goes to those addresses, so that a name cannot
 * change between the check and the connection.
 */
import { lookup as dnsLookup } from 'node:dns/promises';
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { type AddressRules, isAddress, whyRefused } from './addresses.ts';
import { type TlsError, tlsFailure } from './tlsFailure.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface OutboundOptions {
  allow: AddressRules;
  /** Total: name resolution, connection, redirects, body. Milliseconds. */
  timeoutMs: number;
  /** Maximum size of the body. */
  maxBytes: number;
  /** Default: the system's resolver. */
  lookup?: (host: string) => Promise<ResolvedAddress[]>;
  /**
   * Keep-alive of idle connections, milliseconds. Default: one connection per request. Only for requests that may be sent twice: the
   * server may close the connection just as it is reused.
   */
  idleMs?: number;
}

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent with `accept-encoding: identity` and nothing else: no cookies, no referrer, no credentials. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Aborts the request. */
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  /** Last URL after redirects. */
  url: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export type OutboundReason = 'address' | 'name' | 'redirect' | 'timeout' | 'too-large' | 'unreachable';

/** A failed request, with a message for the admin. Contains neither path nor query, which may contain secrets. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;
  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.reason = reason;
  }
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export type Outbound = ReturnType<typeof createOutbound>;

export function createOutbound(options: OutboundOptions) {
  const agentFor = createAgents(options.idleMs);
  return {
    /**
     * @param purpose for messages, as in "the address of the icon"
     * @throws OutboundError
     */
    fetchGuarded: async (text: string, purpose: string, wanted: OutboundRequest = {}): Promise<OutboundAnswer> => {
      const { signal, end } = untilLate(options.timeoutMs, wanted.signal);
      try {
        return await followed(readUrl(text, purpose), purpose, { ...wanted, signal, agentFor }, options);
      } finally {
        end();
      }
    },
  };
}

/** Aborted after the time, or with the other signal; `end` clears the timer, which `AbortSignal.timeout` would keep. */
function untilLate(ms: number, other: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const ending = new AbortController();
  const abort = (): void => ending.abort();
  const timer = setTimeout(abort, ms);
  timer.unref();
  other?.addEventListener('abort', abort, { once: true });
  if (other?.aborted) {
    abort();
  }
  const end = (): void => {
    clearTimeout(timer);
    other?.removeEventListener('abort', abort);
  };
  return { signal: ending.signal, end };
}

async function followed(from: URL, purpose: string, wanted: Single, options: OutboundOptions): Promise<OutboundAnswer> {
  let url = from;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await fetchOnce(url, purpose, wanted, options);
    const location = REDIRECTS.has(answer.status) ? answer.headers.location : undefined;
    if (typeof location !== 'string') {
      return answer;
    }
    if ((wanted.method ?? 'GET') !== 'GET' || wanted.headers !== undefined) {
      // Body and headers were meant for the first host.
      throw new OutboundError(
        'redirect',
        `The server of the ${purpose} at ${url.host} responds with a redirect, which is not followed for this request.`
      );
    }
    if (redirects === MAX_REDIRECTS) {
      throw new OutboundError('redirect', `The address of the ${purpose} redirects more than ${MAX_REDIRECTS} times.`);
    }
    url = readUrl(location, purpose, url);
  }
}

function readUrl(text: string, purpose: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  const what = `The address of the ${purpose}`;
  if (url === null) {
    throw new OutboundError('address', `${what} is not a URL.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('address', `${what} must begin with http: or https:; found ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('address', `${what} must not hold a user name or a password.`);
  }
  return url;
}

type Agent = HttpAgent | false;

/** One request; redirects are followed by more of them. */
interface Single extends OutboundRequest {
  signal: AbortSignal;
  agentFor: (url: URL, addresses: ResolvedAddress[]) => Agent;
}

/**
 * Keeps connections, but only to the addresses of the last check: if a name resolves to others by now, or is no longer allowed, older
 * connections are not reused.
 */
function createAgents(idleMs: number | undefined): Single['agentFor'] {
  let kept: { place: string; agent: HttpAgent } | undefined;
  return (url, addresses) => {
    if (idleMs === undefined) {
      return false;
    }
    const place = [url.origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    if (kept?.place !== place) {
      // Idle connections of the previous agent time out; requests in progress there were checked.
      const Kind = url.protocol === 'https:' ? HttpsAgent : HttpAgent;
      kept = { place, agent: new Kind({ keepAlive: true, maxFreeSockets: 1, timeout: idleMs }) };
    }
    return kept.agent;
  };
}

async function fetchOnce(url: URL, purpose: string, wanted: Single, options: OutboundOptions): Promise<OutboundAnswer> {
  const { signal } = wanted;
  try {
    const addresses = await checkedAddresses(url, purpose, options, signal);
    const agent = wanted.agentFor(url, addresses);
    const response = await orAbort(answered(url, wanted, pinned(addresses), agent), signal);
    const body = await readBody(response, purpose, options.maxBytes);
    return { url: url.href, status: response.statusCode as number, headers: response.headers, body };
  } catch (error) {
    throw toOutboundError(error, url, purpose, options, signal);
  }
}

/** Error codes of a connection that the server has closed. */
const ENDED = new Set<string | undefined>(['ECONNRESET', 'EPIPE']);

/** Node's own client, the cheapest. */
function answered(url: URL, wanted: Single, lookup: LookupFunction, agent: Agent): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, signal } = wanted;
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { method, agent, lookup, signal, maxHeaderSize: MAX_HEADER_BYTES };
    let response: IncomingMessage | undefined;
    const request = send(url, { ...options, headers: { 'accept-encoding': 'identity', ...headers, ...length } })
      .once('response', (answer) => {
        response = answer;
        resolve(answer);
      })
      // No upgrade was requested (RFC 9110, 15.2.2). To Node such a response is neither a response nor an error.
      .once('upgrade', (_response, socket) => {
        socket.destroy();
        reject(withCode('it wants to change to another protocol', 'HTTP_101'));
      })
      .on('error', (error) => {
        // The server may close a kept connection while the request is in transit (RFC 9112, 9.3.1): retried once on a new one.
        if (response === undefined && request.reusedSocket && ENDED.has((error as { code?: string }).code)) {
          resolve(answered(url, wanted, lookup, false));
        } else {
          reject(error);
        }
      })
      .once('close', () => {
        if (response === undefined) {
          reject(withCode('it closed the connection', 'ECONNRESET'));
        }
      })
      .end(body);
  });
}

const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });

/**
 * For connections that are not HTTP. @returns the addresses of the host to which the bridge may connect; at least one
 * @throws OutboundError if there is none
 */
export async function checkedAddresses(
  url: URL,
  purpose: string,
  options: Pick<OutboundOptions, 'allow' | 'lookup'>,
  signal: AbortSignal
): Promise<ResolvedAddress[]> {
  // URL normalises every notation of an IPv4 address (decimal, octal, hexadecimal).
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const lookup = options.lookup ?? ((name: string) => dnsLookup(name, { all: true, order: 'verbatim' }));
  const found = isAddress(host)
    ? [{ address: host, family: host.includes(':') ? 6 : 4 }]
    : await orAbort(lookup(host), signal);
  const allowed = found.filter(({ address }) => whyRefused(host, address, options.allow) === undefined);
  if (allowed.length === 0) {
    const reasons = found.map(({ address }) => whyRefused(host, address, options.allow)).join('; ');
    const why = reasons === '' ? 'it has no address' : reasons;
    throw new OutboundError('address', `The bridge does not connect to ${url.host} for the ${purpose}: ${why}.`);
  }
  return allowed;
}

/** Returns the checked addresses instead of resolving the name again. */
function pinned(addresses: ResolvedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const first = addresses[0] as ResolvedAddress;
    if (all) {
      callback(null, addresses);
    } else {
      callback(null, first.address, first.family);
    }
  };
}

/** Resolvers cannot be aborted, and a connection may ignore it: does not wait for either. */
function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

async function readBody(body: AsyncIterable<Buffer>, purpose: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new OutboundError('too-large', `The ${purpose} is larger than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toOutboundError(
  error: unknown,
  url: URL,
  purpose: string,
  options: OutboundOptions,
  signal: AbortSignal
): OutboundError {
  if (error instanceof OutboundError) {
    return error;
  }
  const at = `the ${purpose} at ${url.host}`;
  const code = (error as { code?: unknown }).code;
  if (signal.aborted || (typeof code === 'string' && /TIMEOUT/.test(code))) {
    return new OutboundError('timeout', `Fetching ${at} took longer than ${options.timeoutMs / 1000} s.`, error);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new OutboundError('name', `There is no host ${url.hostname} (for the ${purpose}).`, error);
  }
  const tls = tlsFailure(error as TlsError, `${url.host} (for the ${purpose})`, 'in its address');
  if (tls !== undefined) {
    return new OutboundError('unreachable', tls, error);
  }
  return new OutboundError(
    'unreachable',
    `Could not fetch ${at}: ${typeof code === 'string' ? code : (error as Error).message}.`,
    error
  );
}
