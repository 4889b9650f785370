/**
 * The report over many notifications (alerts of 2,000 rules in 90 days): how long it takes to read, what counting costs, and whether
 * sends become slower while the bridge counts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WriteQueue } from '../../backend-bridge/src/platform/storage/writeQueue.ts';
import { receive } from '../../backend-bridge/src/inbox/notifications/receiveRows.ts';
import { startReport } from '../../backend-bridge/src/inbox/report/roller.ts';
import { countForReport } from '../../backend-bridge/src/inbox/report/writes.ts';
import { insertRows } from '../../backend-bridge/src/platform/storage/bulk.ts';
import { migrate, openDatabase } from '../../backend-bridge/src/platform/database.ts';
import type { Database } from '../../backend-bridge/src/platform/storage/engine.ts';
import type { NotificationRow } from '../../backend-bridge/src/platform/storage/schema.ts';
import { WRITES } from '../../backend-bridge/src/writes.ts';
import { BODY } from './load.ts';
import { type Place, withStores } from './stores.ts';
import { median, percentile, table } from './table.ts';

const DAY = 86_400_000;
const DAYS = 90;
const RULES = 2000;
const INSTANCES = 5;
const BATCH = 5000;
const CONNECTIONS = 64;

/** Alerts that fire and resolve in turn. The report reads nothing but these rows. */
function row(id: number, count: number, start: number): NotificationRow {
  const thread = Math.floor((id - 1) / 2) % (RULES * INSTANCES);
  const rule = thread % RULES;
  return {
    id,
    thread_id: thread + 1,
    ts: Math.floor(start + (id / count) * DAYS * DAY),
    title: `Rule ${rule} on host ${thread}`,
    body: 'The value is above its threshold.',
    category: `category ${rule % 20}`,
    dnp_name: `package-${rule % 40}.dnp.dappnode.eth`,
    priority: rule % 4,
    status: id % 2 === 1 ? 'triggered' : 'resolved',
    status_given: 1,
    correlation_id: `thread ${thread}`,
    ...{ is_banner: 0, banner: 0, seen: 1, muted: 0, hidden: 0, turned: 0 },
    source: 'grafana',
    ...{ cta_title: null, cta_url: null, icon: null, errors: null, node: '', sent_ts: null, label_set: 0 },
    extra: JSON.stringify({
      alert: { labels: { alertname: `Rule ${rule}`, instance: `host ${thread}`, job: 'node' } },
    }),
  };
}

async function fillRows(db: Database, count: number): Promise<void> {
  await migrate(db);
  const start = Date.now() - DAYS * DAY;
  for (let first = 1; first <= count; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, n) => row(first + n, count, start));
    await db.transaction().execute(async (trx) => {
      await insertRows(trx, 'notifications', rows);
      // Not to be indexed for searching.
      for (const name of ['notification', 'indexed', 'arrivals']) {
        await trx
          .updateTable('series')
          .set({ last: rows.at(-1)!.id })
          .where('name', '=', name)
          .execute();
      }
    });
  }
}

/** Acknowledged sends per second. */
async function sends(writes: WriteQueue, ms: number): Promise<number> {
  const payload = JSON.parse(BODY) as { title: string; body: string };
  const until = performance.now() + ms;
  let sent = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() < until) {
      await writes.submit(receive, { incoming: [{ payload, source: 'api' as const }], now: Date.now() });
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return (1000 * sent) / ms;
}

async function countingCosts(place: Place, seconds: number, rounds: number): Promise<string[][]> {
  const writes = await WriteQueue.open({ path: place.address, writes: WRITES });
  const db = openDatabase(place.address, { readonly: true });
  const rates: Record<'without' | 'with', number[]> = { without: [], with: [] };
  for (let round = 0; round < rounds; round += 1) {
    rates.without.push(await sends(writes, seconds * 1000));
    const stop = startReport({ db, writes, log: { warn: () => undefined }, everyMs: 10 });
    rates.with.push(await sends(writes, seconds * 1000));
    await stop();
    await sleep(100);
  }
  const times: number[] = [];
  const startedAt = performance.now();
  for (let more = true; more;) {
    const stepAt = performance.now();
    ({ more } = await writes.submit(countForReport, {}));
    times.push(performance.now() - stepAt);
  }
  const whole = performance.now() - startedAt;
  await db.destroy();
  await writes.close();
  const shown = (name: 'without' | 'with'): string => `${median(rates[name]).toFixed(0)} a second`;
  return [
    ['sends without counting', shown('without')],
    ['sends while it counts', shown('with')],
    ['a step of 500, ms p50 / p95', `${median(times).toFixed(1)} / ${percentile(times, 95).toFixed(1)}`],
    ['counting the rest, without sends', `${(whole / 1000).toFixed(1)} s, ${times.length * 500} notifications`],
  ];
}

const REQUESTS = [
  ['rules, 1 week', 'by=rule'],
  ['rules, 12 weeks', 'by=rule&weeks=12'],
  ['rules, 12 weeks, 1,000 rows', 'by=rule&weeks=12&limit=1000'],
  ['packages, 53 weeks', 'by=package&weeks=53'],
  ['CSV of 12 weeks by rule', 'by=rule&weeks=12&format=csv'],
] as const;

async function reading(place: Place, requests: number): Promise<string[][]> {
  const bridge = await place.bridge();
  const rows: string[][] = [];
  for (const [name, query] of REQUESTS) {
    const times: number[] = [];
    for (let request = -3; request < requests; request += 1) {
      const startedAt = performance.now();
      const response = await bridge.get(`/api/v1/report?${query}`);
      await response.arrayBuffer();
      if (!response.ok) {
        throw new Error(`${name}: ${response.status}`);
      }
      if (request >= 0) {
        times.push(performance.now() - startedAt);
      }
    }
    rows.push([`${name}, ms p50 / p95`, `${median(times).toFixed(0)} / ${percentile(times, 95).toFixed(0)}`]);
  }
  await bridge.stop();
  return rows;
}

/** @param count notifications stored */
export async function report(count: number, quick: boolean): Promise<void> {
  console.log(
    `\n## The report over ${count.toLocaleString('en-US')} notifications of ${RULES} rules in ${DAYS} days\n`
  );
  await withStores(async (stores) => {
    for (const store of stores) {
      const place = await store.place();
      const db = openDatabase(place.address, { cacheMb: 256 });
      await fillRows(db, count);
      await db.destroy();
      const costs = await countingCosts(place, quick ? 1 : 3, quick ? 3 : 5);
      console.log(`${table(['what', store.name], [...costs, ...(await reading(place, quick ? 30 : 100))])}\n`);
      await place.remove();
    }
  });
}
