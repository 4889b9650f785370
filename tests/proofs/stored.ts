/** Compares the stored notifications with the acknowledged ones, and the counts with a recount of the rows. */
import { sql } from 'kysely';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { Facets } from '../../backend-bridge/contract/query.ts';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { THREAD_MEMBERS } from './senders.ts';

const MAX_NAMED = 5;

export type Get = (path: string) => Promise<Response>;

/** Newest first. */
export async function storedTitles(get: Get): Promise<string[]> {
  const titles: string[] = [];
  for (let next: string | undefined = '/api/v1/notifications?limit=1000'; next !== undefined;) {
    const response: Response = await get(next);
    if (response.status !== 200) {
      throw new Error(`GET ${next}: ${response.status} ${await response.text()}`);
    }
    titles.push(...((await response.json()) as Notification[]).map(({ title }) => title));
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return titles;
}

/**
 * Checks one bridge: every acknowledged notification is stored exactly once, and the facets are those of the list.
 * @returns differences, as sentences
 */
export async function compare(get: Get, acknowledged: readonly string[]): Promise<string[]> {
  const stored = await storedTitles(get);
  const times = new Map<string, number>();
  stored.forEach((title) => times.set(title, (times.get(title) ?? 0) + 1));
  const some = (what: string, titles: string[]): string[] =>
    titles.length === 0 ? [] : [`${titles.length} ${what}: ${titles.slice(0, MAX_NAMED).join(', ')}`];
  const facets = (await (await get('/api/v1/notifications/facets')).json()) as Facets;
  return [
    ...some(
      'acknowledged, but not stored',
      acknowledged.filter((title) => !times.has(title))
    ),
    ...some(
      'stored twice',
      [...times].filter(([, count]) => count > 1).map(([title]) => title)
    ),
    ...(facets.total === stored.length ? [] : [`facets count ${facets.total}, the list has ${stored.length}`]),
    ...(facets.open === 0 ? [] : [`${facets.open} threads are open, but all were resolved`]),
  ];
}

/**
 * Counts the rows of the database, and compares them with the counts and threads that are stored beside them.
 * @param address file of an SQLite database, or URL of a PostgreSQL database
 * @returns differences, as sentences
 */
export async function recount(address: string): Promise<string[]> {
  const db = openDatabase(address, { readonly: true });
  const numbers = async (query: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
    Number((await query.execute(db)).rows[0]?.n ?? 0);
  try {
    const wrongThreads = await numbers(sql<{ n: number }>`
      select count(*) as n from threads t
      left join (select thread_id, count(*) as members, max(id) as newest, sum(1 - seen) as unseen
                 from notifications group by thread_id) m on m.thread_id = t.id
      where t.count <> coalesce(m.members, 0) or t.unseen <> coalesce(m.unseen, 0) or t.head_id <> m.newest`);
    const torn = await numbers(sql<{ n: number }>`
      select count(*) as n from threads where count <> ${THREAD_MEMBERS} or state <> 'resolved'`);
    const lost = await numbers(sql<{ n: number }>`
      select count(*) as n from notifications where thread_id not in (select id from threads)`);
    const wrongCounts = await numbers(sql<{ n: number }>`
      select count(*) as n from (
        select hidden, muted, seen, category, dnp_name, priority, state, sum(n) as n from (
          select hidden, muted, seen, category, dnp_name, priority, state, n from counts where scope = 0 and span = 0
          union all
          select hidden, muted, seen, category, dnp_name, priority, status as state, -1 as n from notifications
        ) as both_of_them group by hidden, muted, seen, category, dnp_name, priority, state having sum(n) <> 0
      ) as differences`);
    return [
      ...(wrongThreads === 0 ? [] : [`${wrongThreads} threads with a wrong count or head`]),
      ...(torn === 0 ? [] : [`${torn} threads that are not resolved with ${THREAD_MEMBERS} members`]),
      ...(lost === 0 ? [] : [`${lost} notifications without a thread`]),
      ...(wrongCounts === 0 ? [] : [`${wrongCounts} counts that differ from the rows`]),
    ];
  } finally {
    await db.destroy();
  }
}
