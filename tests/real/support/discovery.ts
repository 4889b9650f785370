/** A Prometheus with service discovery by a bridge (http_sd), and a target. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { freeAddress, startChild } from './child.ts';
import { findPrograms } from './programs.ts';

const EVERY = '1s';

/** A target of Prometheus' GET /api/v1/targets. */
export interface ActiveTarget {
  scrapeUrl: string;
  health: 'up' | 'down' | 'unknown';
  labels: Record<string, string>;
}

export interface Discovering {
  /** Active targets by address. */
  targets(): Promise<ActiveTarget[]>;
  /** The values of a query, with their labels. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** Number of failed refreshes. */
  failures(): Promise<number>;
  stop(): Promise<void>;
}

/** @param url of the targets; @param token of a sender */
export async function startDiscovering(url: string, token: string): Promise<Discovering> {
  const dir = await mkdtemp(path.join(tmpdir(), 'nodebell-real-'));
  const config = path.join(dir, 'prometheus.yml');
  // The type is required: http_sd in Prometheus 2.42 does not apply its default, and sends the token alone.
  const authorization = { type: 'Bearer', credentials: token };
  const discovery = { url, refresh_interval: EVERY, authorization };
  const job = { job_name: 'packages', http_sd_configs: [discovery] };
  await writeFile(
    config,
    stringify({ global: { scrape_interval: EVERY, scrape_timeout: EVERY }, scrape_configs: [job] })
  );
  const address = await freeAddress();
  const child = await startChild({
    command: findPrograms().prometheus,
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(dir, 'prometheus')}`,
      `--web.listen-address=${address}`,
    ],
    url: `http://${address}`,
    readyPath: '/-/ready',
  });
  const ask = async (route: string): Promise<Response> => fetch(child.url + route);
  return {
    async targets() {
      const { data } = (await (await ask('/api/v1/targets?state=active')).json()) as {
        data: { activeTargets: ActiveTarget[] };
      };
      return data.activeTargets.sort((a, b) => (a.scrapeUrl < b.scrapeUrl ? -1 : 1));
    },
    async query(expression) {
      const answer = await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`);
      return ((await answer.json()) as { data: { result: Awaited<ReturnType<Discovering['query']>> } }).data.result;
    },
    async failures() {
      const name = 'prometheus_sd_http_failures_total';
      return Number(
        new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(await (await ask('/metrics')).text())?.[1]
      );
    },
    async stop() {
      await child.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A service with metrics at one path only. */
export async function startMetrics(route: string, text: string): Promise<{ address: string; stop(): void }> {
  const server = createServer((req, res) => {
    res.writeHead(req.url === route ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4' });
    res.end(req.url === route ? text : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
