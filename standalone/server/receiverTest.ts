import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { readJson, sendJson } from './answers.ts';
import { identify, includesRole } from './identity.ts';

/** Where Grafana 13 tests a contact point that is not saved. */
export const RECEIVER_TEST = '/apis/notifications.alerting.grafana.app/v1beta1/namespaces/default/receivers/-/test';

interface TestBody {
  integration?: { type?: string; settings?: { url?: string } };
}

/** Grafana's alerting gives a webhook this long. */
const PATIENCE_MS = 15_000;

/** Stands in for the test of a webhook contact point: sends a request to its address and reports the error as Go does. */
export async function answerReceiverTest(
  request: IncomingMessage,
  response: ServerResponse,
  patienceMs = PATIENCE_MS
): Promise<void> {
  if (!includesRole(identify(request.headers.cookie).role, 'Editor')) {
    sendJson(response, 403, { message: 'user is not authorized to test receiver' });
    return;
  }
  const { integration } = (await readJson(request)) as TestBody;
  const target = URL.parse(integration?.settings?.url ?? '');
  if (integration?.type !== 'webhook' || !target) {
    sendJson(response, 400, { message: 'Invalid integration test' });
    return;
  }
  const error = await send(target, patienceMs);
  sendJson(response, 200, { status: error === undefined ? 'success' : 'failure', duration: '1ms', error });
}

/** @returns the error message; undefined on success */
function send(target: URL, patienceMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { request } = target.protocol === 'https:' ? https : http;
    const options = { method: 'POST', agent: false, signal: AbortSignal.timeout(patienceMs) };
    request(target, options, (answer) => {
      answer.resume();
      const { statusCode = 0 } = answer;
      resolve(statusCode >= 200 && statusCode < 300 ? undefined : `unexpected status code ${statusCode}`);
    })
      .on('error', (error) => resolve(`Post "${target.href}": ${goWords(error, target)}`))
      .end('{}');
  });
}

interface NodeError extends Error {
  code?: string;
  address?: string;
  port?: number;
  errors?: NodeError[];
}

/** Node's reason for a failed connection, as Go's `net` would put it. */
function goWords(error: NodeError, { hostname }: URL): string {
  // With several addresses, Node reports each error, Go the first.
  const { code, address = '', port } = error.errors?.[0] ?? error;
  const dialled = `dial tcp ${address.includes(':') ? `[${address}]` : address}:${port}`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'ECONNREFUSED':
      return `${dialled}: connect: connection refused`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${dialled}: connect: no route to host`;
    case 'ETIMEDOUT':
      return `${dialled}: i/o timeout`;
    case 'ECONNRESET':
      return 'EOF';
    default:
      return error.name === 'TimeoutError' || error.name === 'AbortError' ? 'context deadline exceeded' : error.message;
  }
}
