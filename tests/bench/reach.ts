/** Channels: what routes cost at ingest, from receipt to hand-over, and a backlog for another bridge. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_TOKEN, freePort, runBridge, type RunningBridge } from './bridge.ts';
import { BODY, SEND_PATH, sendAll } from './load.ts';
import { median, percentile, table } from './table.ts';

const TOKEN = 'the-token-of-the-lower-bridge';

async function listening(handler: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** A bridge that is provisioned with this file, and port where it is to be started again. */
async function provisioned(file: string, port?: number): Promise<RunningBridge> {
  const dir = mkdtempSync(join(tmpdir(), 'nodebell-reach-'));
  writeFileSync(join(dir, 'reach.yaml'), `apiVersion: 1\n${file}`);
  const settings = { NODEBELL_PROVISIONING_DIR: dir, ...(port !== undefined && { NODEBELL_PORT: String(port) }) };
  const bridge = await runBridge(undefined, settings);
  const stop = bridge.stop.bind(bridge);
  return Object.assign(bridge, {
    async stop() {
      await stop();
      rmSync(dir, { recursive: true });
    },
  });
}

const hooks = (url: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `  - { name: hook${at}, type: webhook, url: '${url}/${at}' }\n`).join('');
const namesOf = (count: number): string => Array.from({ length: count }, (_, at) => `hook${at}`).join(', ');

/** In turn, so that all see the same machine. */
async function ingest(seconds: number, rounds: number): Promise<string[][]> {
  const to = (count: number, more: string): string =>
    `channels:\n${hooks('http://127.0.0.1:9', 10)}routes:\n  - { channels: [${namesOf(count)}]${more} }\n`;
  const bridges = {
    'without routes': await provisioned(''),
    'with routes to 10 channels, none of which takes it': await provisioned(to(10, ', priority: high')),
    'all of it to a channel that is down': await provisioned(to(1, '')),
  };
  const measured = Object.entries(bridges).map(([name, bridge]) => ({ name, bridge, rounds: [] as Measured[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const one of measured) {
      one.rounds.push(await measure(one.bridge, seconds));
    }
  }
  await Promise.all(measured.map(({ bridge }) => bridge.stop()));
  const [first, ...others] = measured;
  const shown = ({ rounds: all }: { rounds: Measured[] }): string =>
    `${Math.round(median(all.map(({ rate }) => rate)))}/s, ${Math.round(median(all.map(({ cpu }) => cpu)))} µs of CPU each`;
  /** Within a round the machine is the same. */
  const ratio = ({ rounds: all }: { rounds: Measured[] }, of: keyof Measured): number =>
    median(all.map((one, round) => one[of] / first!.rounds[round]![of]));
  return [
    [`ingest ${first!.name}`, shown(first!)],
    ...others.map((one) => [
      `ingest ${one.name}`,
      `${shown(one)}: ${percent(1 - ratio(one, 'rate'))} less, ${percent(ratio(one, 'cpu') - 1)} more CPU`,
    ]),
  ];
}
const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`;

interface Measured {
  /** Sends per second. */
  rate: number;
  /** CPU time of the bridge per send in microseconds: a busy machine does not change it. */
  cpu: number;
}

async function measure(bridge: RunningBridge, seconds: number): Promise<Measured> {
  const used = async (): Promise<number> =>
    Number(/^process_cpu_seconds_total (\S+)/m.exec(await (await bridge.get('/metrics')).text())?.[1]) * 1e6;
  const before = await used();
  const { rate } = await sendAll(bridge.url, seconds);
  return { rate, cpu: ((await used()) - before) / (rate * seconds) };
}

async function handOver(count: number): Promise<string[][]> {
  const sentAt = new Map<string, number>();
  const times: number[] = [];
  const receiver = await listening((request, response) => {
    void text(request).then((body) => {
      times.push(performance.now() - sentAt.get((JSON.parse(body) as { title: string }).title)!);
      response.end();
    });
  });
  const bridge = await provisioned(
    `channels:\n${hooks(receiver.url, 10)}routes:\n  - { channels: [${namesOf(10)}] }\n`
  );
  for (let at = 0; at < count; at += 1) {
    const title = `n${at}`;
    sentAt.set(title, performance.now());
    const body = JSON.stringify({ title, body: '' });
    await fetch(bridge.url + SEND_PATH, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    await wait(50);
  }
  while (times.length < 10 * count) {
    await wait(20);
  }
  await bridge.stop();
  receiver.close();
  const [p50, p95] = [50, 95].map((percent) => percentile(times, percent).toFixed(0));
  return [['receipt to hand-over, 10 channels, p50 / p95', `${p50} / ${p95} ms`]];
}

async function waitingOf(bridge: RunningBridge): Promise<number> {
  const { channels } = (await (await bridge.get('/api/v1/channels')).json()) as { channels: { waiting: number }[] };
  return channels[0]!.waiting;
}

/** The last ones sent meanwhile are waiting at any time. */
const UNDER_WAY = 50;

async function backlog(count: number): Promise<string[][]> {
  const port = await freePort();
  const lower = await provisioned(
    `channels:\n  - { name: up, type: nodebell, url: 'http://127.0.0.1:${port}', token: ${TOKEN}, node: lower }\nroutes:\n  - { channels: [up] }\n`
  );
  while ((await waitingOf(lower)) < count) {
    await sendAll(lower.url, 2);
  }
  const alone = (await sendAll(lower.url, 2)).rate;
  const upper = await provisioned(`senders:\n  - { name: lower, token: ${TOKEN} }\n`, port);
  const waiting = await waitingOf(lower);
  const during: number[] = [];
  const began = performance.now();
  // A send every 20 ms, which must not wait for the backlog.
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_TOKEN}` };
  let left = waiting;
  for (let at = 0; left > UNDER_WAY; at += 1) {
    const sent = performance.now();
    await (await fetch(lower.url + SEND_PATH, { method: 'POST', headers, body: BODY })).arrayBuffer();
    during.push(performance.now() - sent);
    left = at % 25 === 0 ? await waitingOf(lower) : left;
    await wait(20);
  }
  const seconds = (performance.now() - began) / 1000;
  await Promise.all([lower.stop(), upper.stop()]);
  return [
    ['ingest while the other bridge is down', `${Math.round(alone)}/s`],
    [`${waiting} waiting, sent in`, `${seconds.toFixed(1)} s, ${Math.round(waiting / seconds)}/s`],
    [
      'a send meanwhile, p50 / p99',
      `${[50, 99].map((percent) => percentile(during, percent).toFixed(1)).join(' / ')} ms`,
    ],
  ];
}

/** Goal: with routes, at most 10 % less is received. @param quick a tenth of it */
export async function reach(quick: boolean): Promise<void> {
  const rows = [
    ...(await ingest(1, quick ? 1 : 21)),
    ...(await handOver(quick ? 20 : 200)),
    ...(await backlog(quick ? 10_000 : 100_000)),
  ];
  console.log(table(['Channels', ''], rows));
}
