/** Readers that request the largest lists without a pause, in a thread of their own, beside one honest sender. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ADMIN_TOKEN } from './bridge.ts';

interface Greedy {
  greedy: { url: string; lists: number; as: string | undefined };
}

export interface GreedyReaders {
  /** Lists that were received. */
  stop(): Promise<number>;
}

const PAUSE_MS = 10;

const personOf = (name: string): string =>
  JSON.stringify({ OrgID: 1, OrgRole: 'Viewer', UserID: 1, UserUID: name, Login: name });

/**
 * One person who keeps so many lists in flight, each on a connection of its own. Resolves when the first list has arrived.
 * @param as name of the Grafana user. Default: the bridge's admin
 */
export async function startGreedyReaders(url: string, lists: number, as?: string): Promise<GreedyReaders> {
  if (lists === 0) {
    return { stop: () => Promise.resolve(0) };
  }
  const worker = new Worker(new URL(import.meta.url), { workerData: { greedy: { url, lists, as } } satisfies Greedy });
  await once(worker, 'message');
  return {
    async stop() {
      const counted = once(worker, 'message') as Promise<[number]>;
      worker.postMessage('stop');
      const [count] = await counted;
      await worker.terminate();
      return count;
    },
  };
}

function readGreedily({ url, lists, as }: Greedy['greedy']): void {
  const { hostname, port, host } = new URL(url);
  const lines = [
    'GET /api/v1/notifications?limit=1000 HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${ADMIN_TOKEN}`,
    ...(as === undefined ? [] : [`X-Grafana-Context: ${personOf(as)}`]),
    'Connection: close',
  ];
  let received = 0;
  const start = (): void => {
    const socket = connect(Number(port), hostname, () => void socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    let isList = false;
    socket.on('data', (chunk: Buffer) => (isList ||= chunk.toString('latin1', 0, 15) === 'HTTP/1.1 200 OK'));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      received += isList ? 1 : 0;
      if (received === 1 && isList) {
        parentPort!.postMessage('reading');
      }
      setTimeout(start, isList ? 0 : PAUSE_MS);
    });
  };
  Array.from({ length: lists }, start);
  parentPort!.once('message', () => parentPort!.postMessage(received));
}

if (!isMainThread && (workerData as Partial<Greedy> | null)?.greedy) {
  readGreedily((workerData as Greedy).greedy);
}

/** Sends one notification after another over one connection. @returns the times of the responses, in milliseconds */
export async function sendHonestly(url: string, until: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const body = JSON.stringify({ title: 'Honest', body: 'Disk usage is 91 %.', category: 'honest', dnpName: 'honest' });
  while (!until()) {
    const start = performance.now();
    const sent = request(`${url}/api/v1/notifications`, {
      method: 'POST',
      agent,
      headers: {
        Authorization: `Bearer ${ADMIN_TOKEN}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 201) {
      throw new Error(`An honest send was refused: ${response.statusCode}`);
    }
    times.push(performance.now() - start);
    await wait(PAUSE_MS);
  }
  agent.destroy();
  return times;
}

/** Stores notifications with bodies of 4 KB. */
export async function fillLarge(url: string, count: number): Promise<void> {
  const batch = 500;
  for (let stored = 0; stored < count; stored += batch) {
    const alerts = Array.from({ length: Math.min(batch, count - stored) }, (_, index) => ({
      status: 'firing',
      labels: { alertname: `rule ${stored + index}` },
      annotations: { summary: `alert ${stored + index}`, description: 'x'.repeat(4000) },
      startsAt: '2026-01-01T00:00:00Z',
      fingerprint: `f${stored + index}`,
    }));
    const response = await fetch(`${url}/api/v1/webhooks/alertmanager`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ version: '4', status: 'firing', receiver: 'nodebell', groupKey: 'g', alerts }),
    });
    if (response.status !== 200) {
      throw new Error(`Filling was refused: ${response.status}`);
    }
  }
}
