/** Reads with a million stored notifications: the requests of the page, over HTTP, one at a time. */
import { fill, filledDataDir } from './data.ts';
import { type RunningBridge, runBridge } from './bridge.ts';
import { type BenchStore, withStores } from './stores.ts';
import { percentile, table } from './table.ts';

const SAMPLES = 300;
const WARM_UP = 20;
const DAY = 86_400_000;

const ago = (days: number): string => new Date(Date.now() - days * DAY).toISOString();
const LIST = '/api/v1/notifications?limit=50';
const FACETS = '/api/v1/notifications/facets';

/** A user with the maximum number of unread notifications. */
const READER = 'bench';

const labels = (matchers: string): string => `matchers=${encodeURIComponent(matchers)}`;
const LABELS = { SQLite: 15, PostgreSQL: 25 };

/** Name, path, limit of p99 in milliseconds, user. */
export const QUERIES: [name: string, path: () => string, limit: number | typeof LABELS, as?: string][] = [
  ['first page', () => LIST, 10],
  ['first page of threads', () => `${LIST}&latest=true`, 10],
  ['category', () => `${LIST}&category=gnosis`, 10],
  ['three categories', () => `${LIST}&category=gnosis&category=lukso&category=other`, 10],
  ['package', () => `${LIST}&dnpName=package-7.dnp.dappnode.eth`, 10],
  ['priority', () => `${LIST}&priority=critical`, 10],
  ['status', () => `${LIST}&status=resolved`, 10],
  ['unseen', () => `${LIST}&seen=false`, 10],
  ['seen', () => `${LIST}&seen=true`, 10],
  ['date range', () => `${LIST}&from=${ago(60)}&to=${ago(30)}`, 10],
  ['banner', () => `${LIST}&isBanner=true`, 10],
  ['muted', () => `${LIST}&muted=true`, 10],
  ['delivery errors', () => `${LIST}&errors=only`, 10],
  ['open threads', () => `${LIST}&open=true`, 10],
  ['unread threads', () => `${LIST}&open=false&seen=false`, 10],
  ['read threads', () => `${LIST}&open=false&seen=true`, 10],
  ['threads of a category', () => `${LIST}&latest=true&category=gnosis&open=false&seen=true`, 10],
  [
    'package and category and date',
    () => `${LIST}&dnpName=package-7.dnp.dappnode.eth&category=gnosis&from=${ago(7)}`,
    10,
  ],
  ['unseen count', () => '/api/v1/notifications/unseen', 10],
  ['facets', () => FACETS, 10],
  ['facets of threads', () => `${FACETS}?latest=true`, 10],
  ['facets of 7 days', () => `${FACETS}?latest=true&from=${ago(7)}`, 10],
  ['facets of unseen', () => `${FACETS}?latest=true&seen=false`, 10],
  ['search, rare word', () => `${LIST}&q=zanzibar`, 50],
  ['search, common word', () => `${LIST}&q=validator`, 50],
  ['search, three words', () => `${LIST}&q=disk+peer+sync`, 50],
  ['search, beginning of a word', () => `${LIST}&q=val`, 50],
  ['search in a category', () => `${LIST}&q=validator&category=gnosis`, 50],
  ['facets of a search', () => `${FACETS}?q=validator`, 50],
  ['labels: of one instance', () => `${LIST}&${labels('instance="node7.example:9100"')}`, LABELS],
  ['labels: common', () => `${LIST}&${labels('severity="critical"')}`, LABELS],
  ['labels: regular expression', () => `${LIST}&${labels('instance=~"node1.*", severity!="info"')}`, LABELS],
  ['labels: only old ones', () => `${LIST}&${labels('release=~".+"')}`, LABELS],
  ['labels: none', () => `${LIST}&${labels('team=""')}`, LABELS],
  ['labels: threads of one instance', () => `${LIST}&latest=true&${labels('instance="node7.example:9100"')}`, LABELS],
  ['labels: only old threads', () => `${LIST}&latest=true&${labels('release=~".+"')}`, LABELS],
  ['labels: in a category', () => `${LIST}&${labels('instance="node7.example:9100"')}&category=gnosis`, LABELS],
  ['labels: facets of one instance', () => `${FACETS}?latest=true&${labels('instance="node7.example:9100"')}`, LABELS],
  ['labels: names', () => '/api/v1/labels?prefix=i', 10],
  ['labels: values', () => '/api/v1/labels?name=instance&prefix=node1', 10],
  ['of a person: first page of threads', () => `${LIST}&latest=true`, 10, READER],
  ['of a person: unread threads', () => `${LIST}&open=false&read=false`, 10, READER],
  ['of a person: read threads', () => `${LIST}&open=false&read=true`, 10, READER],
  ['of a person: unread of a category', () => `${LIST}&open=false&read=false&category=gnosis`, 10, READER],
  ['of a person: banners', () => `${LIST}&latest=true&isBanner=true&read=false&status=triggered`, 10, READER],
  ['of a person: unread count', () => '/api/v1/notifications/unseen', 10, READER],
  ['of a person: facets of threads', () => `${FACETS}?latest=true`, 10, READER],
  ['of a person: facets of unread', () => `${FACETS}?latest=true&read=false`, 10, READER],
];

export const queries = (count: number): Promise<void> =>
  withStores(async (stores) => {
    for (const store of stores) {
      await withFilled(store, count, (bridge) => measure(store.name, bridge, count));
    }
  });

/** The filled store of SQLite is kept for the next run. */
async function withFilled(
  store: BenchStore,
  count: number,
  use: (bridge: RunningBridge) => Promise<void>
): Promise<void> {
  if (store.name === 'SQLite') {
    const bridge = await runBridge(await filledDataDir(count));
    await use(bridge);
    await bridge.stop();
    return;
  }
  const place = await store.place();
  await fill(place.address, count);
  const bridge = await place.bridge();
  await use(bridge);
  await bridge.stop();
  await place.remove();
}

async function measure(store: BenchStore['name'], bridge: RunningBridge, count: number): Promise<void> {
  const rows: string[][] = [];
  for (const [name, path, limits, as] of QUERIES) {
    const limit = typeof limits === 'number' ? limits : limits[store];
    const times: number[] = [];
    let found = 0;
    for (let sample = -WARM_UP; sample < SAMPLES; sample += 1) {
      const start = performance.now();
      const answer = await bridge.get(path(), as);
      const body: unknown = await answer.json();
      if (!answer.ok) {
        throw new Error(`${name}: ${answer.status}`);
      }
      found = Array.isArray(body) ? body.length : 1;
      if (sample >= 0) {
        times.push(performance.now() - start);
      }
    }
    const p99 = percentile(times, 99);
    rows.push([
      name,
      String(found),
      percentile(times, 50).toFixed(2),
      p99.toFixed(2),
      String(limit),
      p99 < limit ? 'yes' : 'NO',
    ]);
  }
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const memory = bridge.memory() / 1e6;
  console.log(
    `\n## Reading with ${count} notifications stored in ${store} (milliseconds, ${SAMPLES} requests each, over HTTP)\n`
  );
  console.log(table(['query', 'rows', 'p50', 'p99', 'limit', 'kept'], rows));
  console.log(`\nResident memory after it: ${memory.toFixed(0)} MB (limit 200: ${memory < 200 ? 'kept' : 'NOT kept'})`);
}
