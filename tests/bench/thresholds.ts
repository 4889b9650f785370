/** Thresholds of a large node: loading the list, setting a value, and receiving notifications while many endpoints are off. */
import { performance } from 'node:perf_hooks';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from './bridge.ts';
import { median, percentile, table } from './table.ts';
import { thresholdsPage } from './thresholdsPage.ts';

const PACKAGES = 500;
const ENDPOINTS = 20;
const LISTS = 15;
const MOVES = 200;

/** Prints the times as a table. */
export async function thresholds(): Promise<void> {
  const bridge = await runBridge();
  try {
    const registering = await timed(() => registerAll(bridge));
    const first = await timed(() => list(bridge));
    const lists: number[] = [];
    let bytes = 0;
    for (let count = 0; count < LISTS; count += 1) {
      lists.push(
        await timed(async () => {
          bytes = await list(bridge);
        })
      );
    }
    const moves: number[] = [];
    for (let count = 0; count < MOVES; count += 1) {
      const path = `/api/v1/packages/${nameOf(count % PACKAGES)}/endpoints/bench-${count % ENDPOINTS}`;
      moves.push(await timed(() => send(bridge, 'PATCH', path, { threshold: 11 + (count % 30) })));
    }
    const listed = await timed(() => list(bridge));
    const page = await thresholdsPage(bridge.url, `${nameOf(249)} bench-7`);
    console.log(
      table(
        [`${PACKAGES} packages with ${ENDPOINTS} endpoints each`, 'median', '95 %'],
        [
          ['registering one', ms(registering / PACKAGES), ''],
          ['GET /endpoints, the first', ms(first), ''],
          [
            `GET /endpoints, ${(bytes / 1e6).toFixed(1)} MB, read as JSON`,
            ms(median(lists)),
            ms(percentile(lists, 95)),
          ],
          ['GET /endpoints after the moves', ms(listed), ''],
          ['PATCH of a threshold, until it is on disk', ms(median(moves)), ms(percentile(moves, 95))],
          ['the page, from the click until its cards stand (limit 1000)', ...spread(page.opened)],
          ['a search on the page', ...spread(page.searched)],
          ['a move on the page, until the bridge has answered (limit 100)', ...spread(page.saved)],
          ['memory', `${Math.round(bridge.memory() / 2 ** 20)} MiB`, ''],
        ]
      )
    );
  } finally {
    await bridge.stop();
  }
}

const spread = (times: number[]): string[] => [ms(median(times)), ms(percentile(times, 95))];
const nameOf = (index: number): string => `bench-${index}.dnp.dappnode.eth`;
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

async function registerAll(bridge: RunningBridge): Promise<void> {
  for (let index = 0; index < PACKAGES; index += 1) {
    const manifest = {
      name: nameOf(index),
      version: '1.0.0',
      type: 'service',
      description: 'A package of the bench.',
      license: 'MIT',
    };
    await send(bridge, 'POST', '/api/v1/packages', { manifest, notifications: { endpoints: endpoints() } });
  }
}

function endpoints(): object[] {
  return Array.from({ length: ENDPOINTS }, (_, index) => ({
    name: `Endpoint ${index}`,
    correlationId: `bench-${index}`,
    enabled: true,
    group: 'ethereum',
    url: 'http://geth.dappnode:8545',
    method: 'POST',
    body: '{"jsonrpc":"2.0","method":"net_peerCount","params":[],"id":1}',
    interval: '30s',
    conditions: ['[BODY].result >= 10'],
    metric: { min: 0, max: 50, unit: 'peers' },
    definition: { title: `Title ${index}`, description: 'What it is about, in a sentence or two of Markdown.' },
    priority: 'medium',
    isBanner: false,
    alerts: [
      {
        type: 'custom',
        enabled: true,
        description: 'Fewer than [CONDITION_VALUE] peers',
        'failure-threshold': 4,
        'success-threshold': 1,
        'send-on-resolved': true,
      },
    ],
  }));
}

async function list(bridge: RunningBridge): Promise<number> {
  const text = await (await bridge.get('/api/v1/endpoints')).text();
  const { packages } = JSON.parse(text) as { packages: unknown[] };
  if (packages.length !== PACKAGES) {
    throw new Error(`the list has ${packages.length} packages`);
  }
  return text.length;
}

async function send(bridge: RunningBridge, method: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(bridge.url + path, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  }
}
