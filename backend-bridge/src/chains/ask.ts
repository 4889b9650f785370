/** One request to a node, and in words what can go wrong with it. */
import { OutboundError, type Outbound } from '../http/outbound.ts';
import { isObject } from './answers.ts';
import { badAnswer, type Failed, NodeProblem } from './reading.ts';

/** What of a node is asked over HTTP. */
export interface NodeAddress {
  /** With a slash at its end. */
  url: string;
  /** The package's name in the node's network, or the operator's own address. */
  origin: 'package' | 'provisioned';
  credentials?: { username: string; password: string } | undefined;
}

/**
 * Asks and reads JSON.
 * @param path without a leading slash
 * @param body sent as JSON by POST; undefined: GET
 * @throws NodeProblem
 */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;

export const ANSWER_LIMIT = 1024 * 1024;
export const ANSWER_TIMEOUT_MS = 10_000;
/** Longer than most are left alone between two questions; nodes that have less patience close it themselves. */
export const CONNECTION_IDLE_MS = 60_000;

/** @param signal ends what is under way */
export function createAsk(outbound: Outbound, { url, origin, credentials }: NodeAddress, signal: AbortSignal): Ask {
  const authorization =
    credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
  const headers = {
    accept: 'application/json',
    ...(authorization !== undefined && { authorization }),
  };
  return async (path, body) => {
    const answer = await outbound
      .fetchGuarded(
        url + path,
        'chain node',
        body === undefined
          ? { headers, signal }
          : {
              method: 'POST',
              signal,
              headers: { ...headers, 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }
      )
      .catch((error: unknown) => {
        throw error instanceof OutboundError ? new NodeProblem(failureOf(error, new URL(url), origin)) : error;
      });
    return readAnswer(answer, credentials !== undefined);
  };
}

/**
 * An HTTP answer to JSON. Pure.
 * @throws NodeProblem
 */
export function readAnswer({ status, body }: { status: number; body: Buffer }, withCredentials: boolean): unknown {
  if (status === 401) {
    const why = withCredentials
      ? 'The node does not accept the user name and password that the bridge has for it.'
      : 'The node asks for a user name and password; the bridge has none for it.';
    throw badAnswer('unauthorised', why);
  }
  if (status >= 300 && status < 400) {
    throw badAnswer('redirect', `The node answers with a redirect (${status}), which is not followed.`);
  }
  const json = parsed(body);
  const good = status >= 200 && status < 300;
  // Bitcoin answers errors of a call with 404 and 500, and says in the body what they are.
  if (!good && !(json && (Array.isArray(json.value) || (isObject(json.value) && isObject(json.value['error']))))) {
    const why = status === 403 ? ': it does not allow requests of the bridge, by its address or its name' : '';
    throw badAnswer('http-status', `The node answers with HTTP status ${status}${why}.`);
  }
  if (json === undefined) {
    throw badAnswer('not-json', 'The node answers with something else than JSON. Is this the right port?');
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

/** Codes of Node for a connection that ended before its answer did. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** What became of a request that was not answered, in words. Pure. */
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
      return failed('timeout', `No answer within ${ANSWER_TIMEOUT_MS / 1000} seconds on port ${port}.`);
    case 'too-large':
      return failed('too-large', 'The node answers with more than 1 MiB, which is not read.', 'error');
    case 'redirect':
      return failed('redirect', 'The node answers with a redirect, which is not followed.', 'error');
    case 'address':
      return failed('not-allowed', error.message);
    case 'name':
      if (code !== 'ENOTFOUND') {
        return failed('network', `The name ${host} could not be looked up.`);
      }
      return origin === 'package'
        ? failed('name', `There is no ${host} in the node's network. ${running}`, 'stopped')
        : failed('name', `There is no host ${host}.`);
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
    return failed('reset', `The connection on port ${port} was cut off before the answer was whole.`);
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return failed('too-large', 'The node answers with more header lines than are read.', 'error');
  }
  if (code === 'HTTP_101' || (typeof code === 'string' && code.startsWith('HPE_'))) {
    return failed('not-understood', `What answers on port ${port} does not speak HTTP.`, 'error');
  }
  const why = typeof code === 'string' ? ` (${code})` : '';
  return failed('network', `There is no way to the node on port ${port}${why}.`);
}
