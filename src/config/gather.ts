/** Tests the connection from Grafana to the bridge, with what is saved. */
import { bridgeStatusSchema, type BridgeStatus } from '@nodebell/contract/status.ts';
import { requestUnchecked } from '../api/client';
import { toBridgeError } from '../api/errors';
import { grafanaTime } from '../api/settings';
import { tryConnection } from '../api/tryConnection';
import { readConnectFailure } from './connectFailure';
import type { Reply } from './evidence';

/** Grafana itself waits for 30 s; whoever looks at a button does not. */
const PATIENCE_MS = 10_000;

/** @param bridgeUrl as it is saved */
export async function testConnection(bridgeUrl: string): Promise<Reply> {
  const sentAt = Date.now();
  const asked = await askStatus();
  if ('status' in asked) {
    const receivedAt = Date.now();
    const grafanaAt = await timeOfGrafana((sentAt + receivedAt) / 2);
    return { kind: 'status', status: asked.status, sentAt, receivedAt, ...(grafanaAt !== undefined && { grafanaAt }) };
  }
  if (asked.reply.kind !== 'no-connection') {
    return asked.reply;
  }
  const tried = await tryConnection(bridgeUrl);
  if (tried === undefined) {
    return asked.reply;
  }
  const failure = tried.error === undefined ? { cause: 'answered' as const } : readConnectFailure(tried.error);
  return { kind: 'no-connection', ...(failure && { failure }) };
}

async function askStatus(): Promise<{ status: BridgeStatus } | { reply: Reply }> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const data = await requestUnchecked('/status', patience.signal);
    const { data: status } = bridgeStatusSchema.safeParse(data);
    return status ? { status } : { reply: { kind: 'foreign', ...versionIn(data) } };
  } catch (thrown) {
    return { reply: patience.signal.aborted ? { kind: 'silence', afterMs: PATIENCE_MS } : readRefusal(thrown) };
  } finally {
    clearTimeout(timer);
  }
}

/** Another release may say more or less of itself, but always its version. */
function versionIn(data: unknown): { version?: string } {
  const { version, storeWritable } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  return typeof version === 'string' && storeWritable !== undefined ? { version } : {};
}

/** What Grafana says when it does not pass a request on. */
const GRAFANAS_WORDS = /plugin|permission|access denied|parse url|unauthorized|forbidden/i;

function readRefusal(thrown: unknown): Reply {
  const { status = 0, problem, message } = toBridgeError(thrown);
  if (problem) {
    return { kind: 'problem', status, detail: problem.detail };
  }
  if (status === 502 || status === 504) {
    return { kind: 'no-connection', ...(status === 504 && { failure: { cause: 'timeout' as const } }) };
  }
  return status === 0 || GRAFANAS_WORDS.test(message) ? { kind: 'grafana', status, message } : { kind: 'foreign' };
}

/** @param at when the bridge told its time: the moment for which Grafana's is wanted. Dates in heads lack the half second. */
async function timeOfGrafana(at: number): Promise<number | undefined> {
  const before = Date.now();
  const date = await grafanaTime().catch(() => undefined);
  return date === undefined ? undefined : date + 500 - ((before + Date.now()) / 2 - at);
}
