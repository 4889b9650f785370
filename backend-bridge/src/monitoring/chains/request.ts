/** Sends a request to a node, and turns failures into readings. */
import { isObject } from '../../../contract/text.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { OutboundError, type Outbound, type OutboundRequest } from '../../platform/http/outbound.ts';
import type { Query } from './drivers/driver.ts';
import { badResponse, type Failed, NodeProblem } from './drivers/reading.ts';

/** Where a node is polled over HTTP. */
export interface NodeAddress {
  /** Ends with a slash. */
  url: string;
  /** The package's name in the node's network, or the operator's own address. */
  origin: 'package' | 'provisioned';
  credentials?: { username: string; password: string } | undefined;
}

export const RESPONSE_LIMIT = LIMITS.nodeResponseBytes.value;
export const RESPONSE_TIMEOUT_MS = 10_000;
/** Longer than most poll intervals; a node may close the connection earlier. */
export const CONNECTION_IDLE_MS = 60_000;

/** @param signal aborts the request in flight */
export function createQuery(outbound: Outbound, { url, origin, credentials }: NodeAddress, signal: AbortSignal): Query {
  const authorization =
    credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
  const headers = { accept: 'application/json', ...(authorization !== undefined && { authorization }) };
  const json = { ...headers, 'content-type': 'application/json' };
  return async (path, body) => {
    const request: OutboundRequest =
      body === undefined ? { headers } : { method: 'POST', headers: json, body: JSON.stringify(body) };
    const response = await outbound
      .fetchGuarded(url + path, 'chain node', { ...request, signal })
      .catch((error: unknown) => {
        throw error instanceof OutboundError ? new NodeProblem(failureOf(error, new URL(url), origin)) : error;
      });
    return readResponse(response, credentials !== undefined);
  };
}

/**
 * The JSON of an HTTP response. Pure.
 * @throws NodeProblem
 */
export function readResponse({ status, body }: { status: number; body: Buffer }, withCredentials: boolean): unknown {
  if (status === 401) {
    const why = withCredentials
      ? 'Authentication failed: the node rejects the configured user name and password.'
      : 'Authentication failed: the node requires a user name and password, and none is configured.';
    throw badResponse('unauthorised', why);
  }
  if (status >= 300 && status < 400) {
    throw badResponse('redirect', `Unexpected redirect (HTTP status ${status}). Redirects are not followed.`);
  }
  const json = parsed(body);
  const good = status >= 200 && status < 300;
  // Bitcoin returns errors of a call with status 404 or 500 and details in the body.
  if (!good && !(json && (Array.isArray(json.value) || (isObject(json.value) && isObject(json.value['error']))))) {
    const why = status === 403 ? ': the node rejects the address or host name of the bridge' : '';
    throw badResponse('http-status', `Unexpected HTTP status ${status}${why}.`);
  }
  if (json === undefined) {
    throw badResponse('not-json', 'The response is not JSON. Check the port.');
  }
  return json.value;
}

function parsed(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString()) as unknown };
  } catch {
    return undefined;
  }
}

/** Codes of Node.js for a connection that closed before the response was complete. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** The reading for a request without a response. Pure. */
export function failureOf(error: OutboundError, url: URL, origin: NodeAddress['origin']): Failed {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const host = url.hostname;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  const failed = (cause: Failed['cause'], sentence: string, state: Failed['state'] = 'unreachable'): Failed => ({
    kind: 'failed',
    state,
    cause,
    sentence,
  });
  const running = origin === 'package' ? 'Is the package running?' : 'Is the node running?';
  switch (error.reason) {
    case 'timeout':
      return failed('timeout', `No response within ${RESPONSE_TIMEOUT_MS / 1000} seconds on port ${port}.`);
    case 'too-large':
      return failed('too-large', 'The response is larger than 1 MiB.', 'error');
    case 'redirect':
      return failed('redirect', 'Unexpected redirect. Redirects are not followed.', 'error');
    case 'address':
      return failed('not-allowed', error.message);
    case 'name':
      if (code !== 'ENOTFOUND') {
        return failed('network', `The name ${host} could not be resolved.`);
      }
      return origin === 'package'
        ? failed('name', `${host} does not exist in the node network. ${running}`, 'stopped')
        : failed('name', `Unknown host ${host}.`);
    case 'unreachable':
      return unreachable(code, { port, running, failed });
  }
}

function unreachable(
  code: unknown,
  {
    port,
    running,
    failed,
  }: {
    port: string;
    running: string;
    failed: (cause: Failed['cause'], sentence: string, state?: Failed['state']) => Failed;
  }
): Failed {
  if (code === 'ECONNREFUSED') {
    return failed('refused', `Connection refused on port ${port}. ${running}`);
  }
  if (typeof code === 'string' && CUT_OFF.has(code)) {
    return failed('reset', `The connection on port ${port} was closed before the response was complete.`);
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return failed('too-large', 'The response headers are too large.', 'error');
  }
  if (code === 'HTTP_101' || (typeof code === 'string' && code.startsWith('HPE_'))) {
    return failed('not-understood', `The service on port ${port} does not speak HTTP.`, 'error');
  }
  const why = typeof code === 'string' ? ` (${code})` : '';
  return failed('network', `No network route to the node on port ${port}${why}.`);
}
