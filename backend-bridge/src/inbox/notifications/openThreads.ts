/** Open threads as metrics, so that rules can alert on the inbox itself. */
import { Gauge, type Registry } from 'prom-client';
import { sql } from 'kysely';
import { PRIORITIES, STALE_AFTER_MS } from '../../../contract/notification.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { ifReadable } from '../../platform/storage/storeError.ts';
import { EVER, THREADS } from './counts.ts';

/** Open threads by priority and category: all of them from the counts, less those that were acknowledged. */
async function readCounts(db: Database) {
  const all = await db
    .selectFrom('counts')
    .select(['priority', 'category', (count) => count.fn.sum<number>('n').as('n')])
    .where('scope', '=', THREADS)
    .where('span', '=', EVER)
    .where('state', '=', 'open')
    .groupBy(['priority', 'category'])
    .execute();
  const acknowledged = await db
    .selectFrom('responses as r')
    .innerJoin('threads as t', 't.id', 'r.thread_id')
    .select(['t.priority', 't.category', (count) => count.fn.countAll<number>().as('n')])
    .where('r.ack_ts', 'is not', null)
    .where('t.state', '=', 'open')
    .where('t.head_id', 'is not', null)
    .groupBy(['t.priority', 't.category'])
    .execute();
  const keyOf = (row: { priority: number; category: string }): string => `${row.priority} ${row.category}`;
  const known = new Map(acknowledged.map((row) => [keyOf(row), Number(row.n)]));
  return all
    .filter(({ n }) => Number(n) > 0)
    .map((row) => {
      const done = known.get(keyOf(row)) ?? 0;
      const { priority, category } = row;
      return { priority, category, acknowledged: done, unacknowledged: Math.max(0, Number(row.n) - done) };
    });
}

/** Seconds since the last notification of the open thread that has waited longest; 0: none waits. Stale threads do not count. */
async function readOldest(db: Database, now: number): Promise<number> {
  // In the order of the index of open threads: reads one row, and those before it that were acknowledged.
  const { rows } = await sql<{ last_ts: number }>`
    select t.last_ts from threads t
    where t.state = 'open' and t.head_id is not null and t.last_ts > ${now - STALE_AFTER_MS}
      and not exists (select 1 from responses r where r.thread_id = t.id and r.ack_ts is not null)
    order by t.last_ts limit 1`.execute(db);
  const [oldest] = rows;
  return oldest === undefined ? 0 : Math.max(0, (now - Number(oldest.last_ts)) / 1000);
}

/** @param now UTC milliseconds */
export function openThreadMetrics(registry: Registry, db: Database, now: () => number): void {
  new Gauge({
    name: 'nodebell_threads_open',
    help: 'Open threads, by priority, category, and whether somebody has acknowledged them.',
    labelNames: ['priority', 'category', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { priority, category, acknowledged, unacknowledged } of await ifReadable(() => readCounts(db), [])) {
        const labels = { priority: PRIORITIES[priority]!, category };
        this.set({ ...labels, state: 'acknowledged' }, acknowledged);
        this.set({ ...labels, state: 'unacknowledged' }, unacknowledged);
      }
    },
  });
  new Gauge({
    name: 'nodebell_oldest_unacknowledged_seconds',
    help: 'Seconds since the last notification of the open thread that has waited longest for an acknowledgement; 0: none waits.',
    registers: [registry],
    async collect() {
      this.set(await ifReadable(() => readOldest(db, now()), NaN));
    },
  });
}
