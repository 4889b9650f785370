/** Each combination of filters that the page offers uses an index, according to SQLite's query plans. */
import SqliteDatabase from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readClosed, readOpen } from '../../backend-bridge/src/monitoring/vanished/service.ts';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';
import { OutboxStore } from '../../backend-bridge/src/delivery/channels/store.ts';
import '../../backend-bridge/src/arrivals.ts';
import { purge, remove, restore } from '../../backend-bridge/src/inbox/notifications/deletions.ts';
import { allowReopening, reopen, resolve, undoOf } from '../../backend-bridge/src/inbox/notifications/resolving.ts';
import { receiveRows } from '../../backend-bridge/src/inbox/notifications/receiveRows.ts';
import { clean } from '../../backend-bridge/src/inbox/notifications/cleaning.ts';
import { NotificationStore } from '../../backend-bridge/src/inbox/notifications/store.ts';
import { visit } from '../../backend-bridge/src/inbox/readers/writes.ts';
import type { Database, Transacting } from '../../backend-bridge/src/platform/storage/engine.ts';
import { dialectOf } from '../../backend-bridge/src/platform/storage/sqlite/connection.ts';
import { databasePath, SQLITE } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { migrate, openDatabase } from '../../backend-bridge/src/platform/database.ts';
import type { Schema } from '../../backend-bridge/src/platform/storage/schema.ts';
import { indexText } from '../../backend-bridge/src/platform/storage/textIndex.ts';
import { DAY, either, END, incoming, MATCHERS, TABS } from './queryPlans.testing.ts';

const ROWS = 1000;
/** Small, so that most filters have a second page. */
const PAGE = 5;

const directory = temporaryFolder(afterAll);
let sqlite: SqliteDatabase.Database;
let db: Database;
/** The statements of the last query. */
const executed: { sql: string; parameters: readonly unknown[] }[] = [];

beforeAll(async () => {
  const file = databasePath(directory);
  const writer = openDatabase(file);
  await migrate(writer);
  await writer.insertInto('categories').values({ category: 'off', enabled: 0, ts: 1 }).execute();
  const requests = Array.from({ length: ROWS }, (_, index) => ({
    now: END - 30 * DAY + Math.floor((index / ROWS) * 30 * DAY),
    incoming: [incoming(index)],
  }));
  await writer.transaction().execute((trx) => receiveRows(trx, requests.slice(0, ROWS / 2)));
  await writer.transaction().execute((trx) => visit(trx, { key: 'anna', now: END }));
  await writer.transaction().execute((trx) => receiveRows(trx, requests.slice(ROWS / 2)));
  while ((await writer.transaction().execute((trx) => indexText(trx, null))).result.more) {
    // The next chunk.
  }
  await writer.destroy();
  sqlite = new SqliteDatabase(file, { readonly: true });
  db = new Kysely<Schema>({
    dialect: dialectOf(sqlite, SQLITE),
    log: ({ query }) => void executed.push({ sql: query.sql, parameters: query.parameters }),
  });
});
afterAll(async () => {
  await db.destroy();
});

function* combinations(tab: NotificationFilter): Generator<NotificationFilter> {
  for (const category of either(['system'], ['system', 'other'])) {
    for (const dnpName of either(['package-1.dnp'], ['package-1.dnp', 'package-2.dnp'])) {
      for (const priority of either(['critical' as const], ['low' as const, 'critical' as const])) {
        for (const status of either(['triggered' as const], ['resolved' as const])) {
          for (const from of either(END - 7 * DAY)) {
            for (const read of tab.read === undefined ? either(true, false) : [tab.read]) {
              for (const seen of tab.read === undefined && read === undefined ? either(true, false) : [undefined]) {
                const one = { ...tab, category, dnpName, priority, status, from, to: from && END, read, seen };
                yield JSON.parse(JSON.stringify(one)) as NotificationFilter;
              }
            }
          }
        }
      }
    }
  }
}

/**
 * Sorts of limited size: the list of a reader (inbox/readers/unread.ts), and open threads, which leave the list after
 * seven days.
 */
const MAY_SORT = [
  /\bown cross join\b/,
  /^select "t"\."head_ts" as ts, "t"\."head_id" as id\b.* from threads t\b.* and t\.state = 'open'/s,
];

/** Steps of a plan that scan without an index. */
function unbounded(sql: string, plan: readonly string[]): string[] {
  // The newest 300, in the order of their ids.
  const isProbe = sql.includes('from (select label_set from notifications order by id desc limit 300)');
  const scans = plan.filter((step) => !isProbe && /^SCAN (n|t|notifications|threads)\b(?! USING)/.test(step));
  const sorts = plan.filter((step) => step === 'USE TEMP B-TREE FOR ORDER BY');
  return [...scans, ...(MAY_SORT.some((one) => one.test(sql)) ? [] : sorts)];
}

const planOf = (sql: string, parameters: readonly unknown[]): string[] =>
  (sqlite.prepare(`explain query plan ${sql}`).all(parameters) as { detail: string }[]).map(({ detail }) => detail);

/** The index that a tab must use, whatever its other filters. */
const LEADS: Record<string, RegExp> = {
  open: /INDEX threads_open\b/,
  muted: /INDEX notifications_muted\b/,
  errors: /INDEX notifications_hidden\b/,
};

it.each(Object.keys(TABS))('%s: lists and facets, for all and for a user', async (tab) => {
  const store = new NotificationStore(db, () => END, { ready: () => Promise.resolve() });
  const plans = new Map<string, string[]>();
  for (const filter of combinations(TABS[tab]!)) {
    for (const reader of [undefined, 1]) {
      executed.length = 0;
      const page = await store.list(filter, PAGE, undefined, reader);
      const lists = executed.length;
      if (page.next) {
        await store.list(filter, PAGE, page.next, reader);
      }
      await store.facets(filter, reader);
      // Snoozes that have ended are read before the list.
      const lead = executed.findIndex(({ sql }) => !sql.includes('from "snoozes"'));
      for (const [index, { sql, parameters }] of executed.entries()) {
        const known = plans.get(sql);
        const plan = known ?? planOf(sql, parameters);
        if (known === undefined) {
          plans.set(sql, plan);
          expect({ filter, sql, steps: unbounded(sql, plan) }).toEqual({ filter, sql, steps: [] });
        }
        const own = reader !== undefined && filter.read === false;
        if (index === lead && lists > 0 && LEADS[tab] && !own) {
          expect(plan.join('\n'), JSON.stringify(filter)).toMatch(LEADS[tab]);
        }
      }
    }
  }
  expect(plans.size).toBeGreaterThan(20);
});

it.each(MATCHERS)('labels: %s: no row is read without an index', async (matchers) => {
  const store = new NotificationStore(db, () => END, { ready: () => Promise.resolve() });
  for (const view of [{ latest: true }, { open: true }, { open: false, read: true }, {}, { category: ['system'] }]) {
    for (const reader of [undefined, 1]) {
      executed.length = 0;
      const page = await store.list({ ...view, matchers }, 20, undefined, reader);
      await store.list({ ...view, matchers }, 20, page.next, reader);
      await store.facets({ ...view, matchers, groupBy: 'instance' }, reader);
      const plans = executed.map(({ sql, parameters }) => ({ sql, steps: unbounded(sql, planOf(sql, parameters)) }));
      expect(plans.filter(({ steps }) => steps.length > 0)).toEqual([]);
      const labels = executed.flatMap(({ sql, parameters }) =>
        / labels | label_sets /.test(sql) ? planOf(sql, parameters) : []
      );
      expect(labels.filter((step) => /^SCAN (l|labels|label_sets)\b/.test(step))).toEqual([]);
    }
  }
  const rare = matchers.includes('old');
  executed.length = 0;
  await store.list({ latest: true, matchers }, 20);
  const plan = executed.flatMap(({ sql, parameters }) => planOf(sql, parameters)).join('\n');
  expect(/INDEX threads_labels \(label_set=\?\)/.test(plan)).toBe(rare);
});

it.each(Object.keys(TABS))('%s: groups by label are counted from indexes', async (tab) => {
  const store = new NotificationStore(db, () => END, { ready: () => Promise.resolve() });
  for (const filter of [{}, { category: ['system'] }, { priority: ['critical' as const] }, { from: END - DAY }]) {
    for (const reader of [undefined, 1]) {
      executed.length = 0;
      await store.facets({ ...TABS[tab], ...filter, groupBy: 'instance' }, reader);
      const plans = executed.map(({ sql, parameters }) => ({ sql, steps: planOf(sql, parameters) }));
      expect(plans.filter(({ sql, steps }) => unbounded(sql, steps).length > 0)).toEqual([]);
      expect(plans.flatMap(({ steps }) => steps).filter((step) => /^SCAN (l|label_sets)\b/.test(step))).toEqual([]);
      const counted = plans.filter(({ sql }) => sql.includes('from labels l cross join threads t'));
      // Other filters read at most the 20,000 newest rows.
      expect(counted).toHaveLength(['all', 'unread'].includes(tab) && !('priority' in filter) ? 1 : 0);
      for (const { steps } of counted) {
        expect(steps.join('\n')).toMatch(/t USING COVERING INDEX threads_labels \(label_set=\?\)/);
      }
    }
  }
});

it.each<NotificationFilter>([{ acknowledged: false }, { assignee: 'none' }])(
  'threads without %j are found without a list of those with',
  async (filter) => {
    const store = new NotificationStore(db, () => END, { ready: () => Promise.resolve() });
    for (const view of [{ latest: true }, { open: true }, {}]) {
      executed.length = 0;
      await store.list({ ...view, ...filter }, 20);
      const [list] = executed.filter(({ sql }) => sql.includes(' responses r '));
      expect(planOf(list!.sql, list!.parameters).join()).not.toContain('LIST SUBQUERY');
    }
  }
);

/** Writes, each in a transaction. @returns the plan of each statement */
async function plansOf(...writes: ((trx: Transacting) => Promise<unknown>)[]) {
  const writer = new SqliteDatabase(databasePath(directory));
  const statements: typeof executed = [];
  const own = new Kysely<Schema>({
    dialect: dialectOf(writer, SQLITE),
    log: ({ query }) => void statements.push({ sql: query.sql, parameters: query.parameters }),
  });
  for (const write of writes) {
    await own.transaction().execute(write);
  }
  await own.destroy();
  return statements
    .filter(({ sql }) => /^\s*(with|select|insert|update|delete)\b/i.test(sql))
    .map(({ sql, parameters }) => ({ sql, steps: planOf(sql, parameters) }));
}

const READS_ALL = /^SCAN (n|t|m|x|d|l|notifications|trash|threads|receipts)\b/;
const reading = (plans: Awaited<ReturnType<typeof plansOf>>) =>
  plans.filter(({ steps }) => steps.some((step) => READS_ALL.test(step)));

it('neither an arrival nor a step of cleaning reads every thread or notification', async () => {
  // More than a burst of one source, what belongs to a thread, and a repeated request.
  const arrivals = [1, 8, 8, ...Array.from({ length: 30 }, () => 2)].map(incoming);
  const once = { scope: 'key:anna', key: 'one', hash: 'one' };
  const requests = (now: number) => arrivals.map((one) => ({ now, incoming: [one, { ...one, once }] }));
  const plans = await plansOf(
    (trx) => receiveRows(trx, requests(END)),
    (trx) => receiveRows(trx, requests(END + 1000)),
    (trx) => clean(trx, { now: END + DAY })
  );
  expect(plans.length).toBeGreaterThan(20);
  expect(plans.some(({ sql }) => sql.includes('"sources"."burst"'))).toBe(true);
  expect(reading(plans)).toEqual([]);
});

it('neither a deletion nor what follows it reads the other notifications of a thread', async () => {
  const { id } = await db
    .selectFrom('threads')
    .select('head_id as id')
    .where('state', '=', 'open')
    .where('head_id', 'is not', null)
    .orderBy('head_id', 'desc')
    .$narrowType<{ id: number }>()
    .executeTakeFirstOrThrow();
  const resolution = { resolution: '00000000-0000-4000-8000-000000000000', of: {}, by: null, now: END };
  const undo = undoOf(resolution.resolution, { from: id, until: id + ROWS });
  const plans = await plansOf(
    (trx) => remove(trx, { ids: [id], deletion: 'a', expiresTs: 2 }),
    (trx) => restore(trx, { deletion: 'a', now: 1, limit: 250 }),
    (trx) => resolve(trx, { ids: [id], ...resolution }),
    (trx) => allowReopening(trx, { undo, expiresTs: 2 }),
    (trx) => reopen(trx, { deletion: undo, now: 1, limit: 250 }),
    (trx) => remove(trx, { ids: [id], deletion: 'b', expiresTs: 2 }),
    (trx) => purge(trx, { now: 2, limit: 250 })
  );
  expect(plans.filter(({ steps }) => steps.join().includes('INDEX notifications_head (thread_id=?)'))).toHaveLength(3);
  expect(reading(plans)).toEqual([]);
});

it('names of channels are looked up one by one, however much waits for each', async () => {
  const outbox = new OutboxStore(db);
  for (const names of [() => outbox.channelsWaiting(), () => outbox.channelsDone()]) {
    executed.length = 0;
    expect(await names()).toEqual([]);
    const plans = executed.flatMap(({ sql, parameters }) => planOf(sql, parameters));
    expect(
      plans.filter((step) => !/^SEARCH outbox USING COVERING INDEX outbox_\w+ \(channel>\?\)$/.test(step))
    ).toEqual([]);
  }
});

it('open threads and those found firing are read by indexes', async () => {
  executed.length = 0;
  expect(await readOpen(db, ['grafana', 'gatus'])).toEqual([]);
  expect(await readClosed(db)).toEqual([]);
  const plans = executed.map(({ sql, parameters }) => ({ sql, steps: planOf(sql, parameters) }));
  expect(plans).toHaveLength(2);
  expect(plans[0]!.steps.join('\n')).toMatch(/INDEX threads_open\b/);
  expect(plans[1]!.steps.join('\n')).toMatch(/SEARCH t USING INTEGER PRIMARY KEY/);
  expect(plans.flatMap(({ sql, steps }) => unbounded(sql, steps))).toEqual([]);
});
