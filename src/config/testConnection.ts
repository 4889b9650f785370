/** Tests the connection from Grafana to the bridge with the saved settings. */
import { SERVICE } from '@nodebell/contract/api/service.ts';
import { bridgeStatusSchema, type BridgeStatus } from '@nodebell/contract/status.ts';
import { requestUnchecked } from '../api/client';
import { toBridgeError } from '../api/errors';
import { grafanaTime } from '../api/settings';
import { tryConnection } from '../api/grafana';
import { readConnectFailure } from './connectFailure';
import type { Reply } from './evidence';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readAddress } from './address';
import { diagnose, type Diagnosis } from './diagnosis';

/** Shorter than Grafana's own 30 s, because the user is waiting. */
const TIMEOUT_MS = 10_000;

/** @param bridgeUrl the saved URL */
async function testConnection(bridgeUrl: string): Promise<Reply> {
  const sentAt = Date.now();
  const response = await requestStatus();
  if ('status' in response) {
    const receivedAt = Date.now();
    const grafanaAt = await timeOfGrafana((sentAt + receivedAt) / 2);
    return {
      kind: 'status',
      status: response.status,
      sentAt,
      receivedAt,
      ...(grafanaAt !== undefined && { grafanaAt }),
    };
  }
  if (response.reply.kind !== 'no-connection') {
    return response.reply;
  }
  const attempt = await tryConnection(bridgeUrl);
  if (attempt === undefined) {
    return response.reply;
  }
  const failure = attempt.error === undefined ? { cause: 'recovered' as const } : readConnectFailure(attempt.error);
  return { kind: 'no-connection', ...(failure && { failure }) };
}

async function requestStatus(): Promise<{ status: BridgeStatus } | { reply: Reply }> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    const data = await requestUnchecked(SERVICE.status.path, abort.signal);
    const { data: status } = bridgeStatusSchema.safeParse(data);
    return status ? { status } : { reply: { kind: 'foreign', ...versionIn(data) } };
  } catch (thrown) {
    return { reply: abort.signal.aborted ? { kind: 'timeout', afterMs: TIMEOUT_MS } : readRefusal(thrown) };
  } finally {
    clearTimeout(timer);
  }
}

/** The status of other releases can differ, but always has a version. */
function versionIn(data: unknown): { version?: string } {
  const { version, storeWritable } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  return typeof version === 'string' && storeWritable !== undefined ? { version } : {};
}

/** Messages of Grafana for requests that it does not forward. */
const GRAFANA_MESSAGES = /plugin|permission|access denied|parse url|unauthorized|forbidden/i;

function readRefusal(thrown: unknown): Reply {
  const { status = 0, problem, message } = toBridgeError(thrown);
  if (problem) {
    return { kind: 'problem', status, detail: problem.detail };
  }
  if (status === 502 || status === 504) {
    return { kind: 'no-connection', ...(status === 504 && { failure: { cause: 'timeout' as const } }) };
  }
  return status === 0 || GRAFANA_MESSAGES.test(message) ? { kind: 'grafana', status, message } : { kind: 'foreign' };
}

/** @param at when the bridge reported its time. HTTP dates are truncated to the second, so half a second is added. */
async function timeOfGrafana(at: number): Promise<number | undefined> {
  const before = Date.now();
  const date = await grafanaTime().catch(() => undefined);
  return date === undefined ? undefined : date + 500 - ((before + Date.now()) / 2 - at);
}

interface Result {
  diagnosis: Diagnosis;
  /** Status of the bridge, if it responded. */
  status?: BridgeStatus;
}

/**
 * Tests the connection on page load and on request.
 * @returns `reachedUrl`: the address of the last test that succeeded. What was loaded from there stays when a later test fails.
 */
export function useConnection(saved: { bridgeUrl: string; tokenSet: boolean; version: string }) {
  const [result, setResult] = useState<Result>();
  const [reachedUrl, setReachedUrl] = useState<string>();
  const [testing, setTesting] = useState(false);
  const round = useRef(0);
  const test = useCallback(async ({ bridgeUrl, tokenSet, version }: typeof saved) => {
    const address = readAddress(bridgeUrl);
    if ('error' in address) {
      return;
    }
    const own = ++round.current;
    setTesting(true);
    const reply = await testConnection(address.url);
    // Ignore results of a test with outdated settings.
    if (own === round.current) {
      setResult({
        diagnosis: diagnose({ host: address.host, port: address.port, tokenSet, version, reply }),
        ...(reply.kind === 'status' && { status: reply.status }),
      });
      if (reply.kind === 'status') {
        setReachedUrl(bridgeUrl);
      }
      setTesting(false);
    }
  }, []);
  const first = useRef(saved);
  useEffect(() => {
    void test(first.current);
    return () => {
      round.current += 1;
    };
  }, [test]);
  return { result, reachedUrl, testing, test };
}
