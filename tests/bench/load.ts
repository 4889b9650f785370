/** Load on a bridge: senders in a process of their own (`wrk`, Debian's package), and a reader in this one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NDJSON } from '../../backend-bridge/contract/batch.ts';
import { ADMIN_TOKEN } from './bridge.ts';
import { percentile } from './table.ts';

export const SEND_PATH = '/api/v1/notifications';

export const BODY = JSON.stringify({
  title: 'Test Notification with some more words in it',
  body: 'This is a test notification sent by the load generator. '.repeat(6),
  category: 'other',
  dnpName: 'test.dnp.dappnode.eth',
  priority: 'low',
  status: 'triggered',
  callToAction: { title: 'Hello World', url: 'http://dappmanager.dappnode' },
  isBanner: false,
});

const script = (path: string, type: string, body: string): string => `
wrk.method = "POST"
wrk.path = "${path}"
wrk.headers["Content-Type"] = "${type}"
wrk.body = [==[${body}]==]
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`;

/** Times in milliseconds. */
export interface Times {
  p50: number;
  p99: number;
  p999: number;
}

export interface Sent extends Times {
  /** Acknowledged notifications per second. */
  rate: number;
}

/**
 * Sends without a pause over so many connections.
 * @param batch notifications of a request
 * @throws when one was refused
 */
export async function sendAll(url: string, seconds: number, connections = 128, batch = 1): Promise<Sent> {
  const dir = mkdtempSync(join(tmpdir(), 'nodebell-wrk-'));
  const file = join(dir, 'post.lua');
  const lines = `${BODY}\n`.repeat(batch);
  writeFileSync(
    file,
    batch === 1 ? script(SEND_PATH, 'application/json', BODY) : script(`${SEND_PATH}/batch`, NDJSON, lines)
  );
  // Slow is a result, not an error: the reference that syncs in its event loop lets some connections wait for seconds.
  const limits = ['-t1', `-c${connections}`, `-d${seconds}`, '--timeout', '30s'];
  const wrk = spawn('wrk', [...limits, '-s', file, url + SEND_PATH]);
  let output = '';
  wrk.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await Promise.race([once(wrk, 'close'), once(wrk, 'error').then(([error]) => Promise.reject(error as Error))]);
  rmSync(dir, { recursive: true });
  const result = /^RESULT (.*)$/m.exec(output)?.[1]?.split(' ').map(Number);
  if (!result || result[5] !== 0) {
    throw new Error(`wrk: some sends failed:\n${output}`);
  }
  const [requests, duration, p50, p99, p999] = result as [number, number, number, number, number];
  return { rate: (batch * requests) / (duration / 1e6), p50: p50 / 1000, p99: p99 / 1000, p999: p999 / 1000 };
}

export const timesOf = (values: readonly number[]): Times => ({
  p50: percentile(values, 50),
  p99: percentile(values, 99),
  p999: percentile(values, 99.9),
});

/** Repeats a request, one at a time, until the time has elapsed or the promise is settled. */
export async function repeatFor(
  request: () => Promise<Response>,
  seconds: number,
  until?: Promise<unknown>
): Promise<Times> {
  const values: number[] = [];
  let over = false;
  void until?.finally(() => (over = true)).catch(() => undefined);
  for (const end = performance.now() + seconds * 1000; performance.now() < end && !over;) {
    const start = performance.now();
    const response = await request();
    await response.arrayBuffer();
    if (!response.ok) {
      throw new Error(`${response.url}: ${response.status}`);
    }
    values.push(performance.now() - start);
  }
  return timesOf(values);
}

/**
 * Requests over one connection, by Node's own client: `fetch` in this process takes as long as the bridge for a list, and on two cores its
 * garbage collection was most of what one in a hundred waited for.
 */
export function reader(url: string): () => Promise<Response> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  return () =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(url, { agent, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(new Response(null, { status: response.statusCode! })));
        response.once('error', reject);
      });
      sent.once('error', reject);
      sent.end();
    });
}

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
export const shown = ({ p50, p99, p999 }: Times): string => `${ms(p50)} / ${ms(p99)} / ${ms(p999)}`;
