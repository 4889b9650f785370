/** Readers that request the largest lists without a pause, beside one honest sender. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ADMIN_TOKEN } from './bridge.ts';

/** Grafana users and what they keep in flight together. */
interface Greed {
  url: string;
  lists: number;
  /** Default: 1. */
  users?: number;
}

const PAUSE_MS = 10;
/** As `Retry-After` says. */
const REFUSED_MS = 1000;

const userOf = (number: number): string =>
  JSON.stringify({
    OrgID: 1,
    OrgRole: 'Viewer',
    UserID: number,
    UserUID: `greedy-${number}`,
    Login: `greedy-${number}`,
  });

/** Reads until the process ends. Responses are discarded as bytes: parsing them would take a core. */
export function readGreedily({ url, lists, users = 1 }: Greed, onResponse: (status: string) => void): void {
  const { hostname, port, host } = new URL(url);
  const start = (number: number): void => {
    const lines = [
      'GET /api/v1/notifications?limit=1000 HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${ADMIN_TOKEN}`,
      `X-Grafana-Context: ${userOf((number % users) + 1)}`,
      'Connection: close',
    ];
    const socket = connect(Number(port), hostname, () => void socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    let status = 'none';
    socket.once('data', (chunk: Buffer) => (status = chunk.toString('latin1', 9, 12)));
    socket.resume();
    socket.on('error', () => undefined);
    socket.once('close', () => {
      onResponse(status);
      setTimeout(start, status === '200' ? 0 : REFUSED_MS, number);
    });
  };
  Array.from({ length: lists }, (_, number) => start(number));
}

/** Starts readers in a thread of their own. Resolves when the first list has arrived. @returns stops them: how many lists have arrived */
export async function startGreedyReaders(greed: Greed): Promise<() => Promise<number>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { greed } });
  await once(worker, 'message');
  return async () => {
    const counted = once(worker, 'message') as Promise<[number]>;
    worker.postMessage('stop');
    const [count] = await counted;
    await worker.terminate();
    return count;
  };
}

const { greed } = (workerData ?? {}) as { greed?: Greed };
if (!isMainThread && greed) {
  let lists = 0;
  readGreedily(greed, (status) => {
    lists += status === '200' ? 1 : 0;
    if (lists === 1 && status === '200') {
      parentPort!.postMessage('reading');
    }
  });
  parentPort!.once('message', () => parentPort!.postMessage(lists));
}

/**
 * Sends one notification after another over one connection.
 * @returns times until the response, in milliseconds
 * @throws when one is refused
 */
export async function sendHonestly(url: string, isOver: (sent: number) => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const body = JSON.stringify({ title: 'Honest', body: 'Disk usage is 91 %.', category: 'honest', dnpName: 'honest' });
  const headers = {
    Authorization: `Bearer ${ADMIN_TOKEN}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  while (!isOver(times.length)) {
    const start = performance.now();
    const sending = request(`${url}/api/v1/notifications`, { method: 'POST', agent, headers });
    sending.end(body);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
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
