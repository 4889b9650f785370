/** No list of the page, with the read state that all share, reads much more than it returns, by what PostgreSQL reports of its plans. */
import { CompiledQuery, Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readClosed, readOpen } from '../../backend-bridge/src/monitoring/vanished/service.ts';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';
import '../../backend-bridge/src/arrivals.ts';
import { receiveRows } from '../../backend-bridge/src/inbox/notifications/receiveRows.ts';
import { NotificationStore } from '../../backend-bridge/src/inbox/notifications/store.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { migrate, openDatabase } from '../../backend-bridge/src/platform/database.ts';
import type { Database } from '../../backend-bridge/src/platform/storage/engine.ts';
import { dialectOf } from '../../backend-bridge/src/platform/storage/postgres/connection.ts';
import { POSTGRES } from '../../backend-bridge/src/platform/storage/postgres/database.ts';
import { Pipelined } from '../../backend-bridge/src/platform/storage/postgres/pool.ts';
import type { Schema } from '../../backend-bridge/src/platform/storage/schema.ts';
import { createTextIndexer, indexText } from '../../backend-bridge/src/platform/storage/textIndex.ts';
import { DAY, END, incoming, MATCHERS, TABS } from './queryPlans.testing.ts';

const ROWS = 20_000;
const BATCH = 1000;
/** Rows that the steps of one statement may read: far fewer than are stored. */
const MOST_READ = 5000;
interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Plan Rows': number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}

const directory = temporaryFolder(afterAll);
let writer: Database;
let db: Database;
const executed: Pick<CompiledQuery, 'sql' | 'parameters'>[] = [];

beforeAll(async () => {
  const address = await testAddress(directory);
  writer = openDatabase(address);
  await migrate(writer);
  await writer.insertInto('categories').values({ category: 'off', enabled: 0, ts: 1 }).execute();
  for (let start = 0; start < ROWS; start += BATCH) {
    const requests = Array.from({ length: BATCH }, (_, index) => ({
      now: END - 30 * DAY + Math.floor(((start + index) / ROWS) * 30 * DAY),
      incoming: [incoming(start + index)],
    }));
    await writer.transaction().execute((trx) => receiveRows(trx, requests));
  }
  // As autovacuum may do meanwhile.
  await sql`analyze notifications, threads, labels, label_sets`.execute(writer);
  while ((await writer.transaction().execute((trx) => indexText(trx, null))).result.more) {
    // The next chunk.
  }
  const timeouts = { connect: 5000, statement: 30_000, idle: 5000, lock: 10_000, response: 35_000 };
  db = new Kysely<Schema>({
    dialect: dialectOf(
      { url: address, writer: false, max: 5, timeouts, clients: new Set(), outdated: new WeakSet() },
      POSTGRES
    ),
    log({ query }) {
      const [pipelined] = query.parameters;
      executed.push(...(pipelined instanceof Pipelined ? pipelined.statements : [query]));
    },
  });
});
afterAll(async () => {
  await db.destroy();
  await writer.destroy();
});

/** Rows that a step and those below it read, also those that a filter discards. */
function rowsRead({ Plans = [], ...step }: Step): number {
  const own = (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
  return Plans.reduce((sum, below) => sum + rowsRead(below), step['Relation Name'] === undefined ? 0 : own);
}

async function planOf(statement: string, parameters: readonly unknown[]): Promise<Step> {
  const explain = CompiledQuery.raw(`explain (analyze, format json) ${statement}`, [...parameters]);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Step }[] }>(explain);
  return rows[0]!['QUERY PLAN'][0]!.Plan;
}

const FILTERS: NotificationFilter[] = [
  {},
  { category: ['system'] },
  { category: ['system', 'other'] },
  { dnpName: ['package-1.dnp'] },
  { dnpName: ['package-1.dnp', 'package-2.dnp'], category: ['ethereum'] },
  { priority: ['critical'] },
  { status: ['resolved'] },
  { from: END - 7 * DAY, to: END },
];

it.each(Object.keys(TABS))('%s: lists', async (tab) => {
  const store = new NotificationStore(db, () => END, { ready: () => Promise.resolve() });
  let statements = 0;
  for (const filter of FILTERS.map((one) => ({ ...TABS[tab]!, ...one }))) {
    executed.length = 0;
    const page = await store.list(filter, 20);
    if (page.next) {
      await store.list(filter, 20, page.next);
    }
    for (const { sql: statement, parameters } of executed.splice(0)) {
      const plan = await planOf(statement, parameters);
      statements += 1;
      expect(rowsRead(plan), `${JSON.stringify(filter)} ${statement}\n${JSON.stringify(plan)}`).toBeLessThan(MOST_READ);
    }
  }
  expect(statements).toBeGreaterThan(20);
});

it.each(MATCHERS)('labels: %s', async (matchers) => {
  const store = new NotificationStore(db, () => END, { ready: () => Promise.resolve() });
  for (const view of [{ latest: true }, { open: true }, {}]) {
    executed.length = 0;
    const page = await store.list({ ...view, matchers }, 20);
    await store.list({ ...view, matchers }, 20, page.next);
    for (const { sql: statement, parameters } of executed.splice(0)) {
      const plan = await planOf(statement, parameters);
      expect(rowsRead(plan), `${statement}\n${JSON.stringify(plan)}`).toBeLessThan(MOST_READ);
    }
  }
});

it('groups by label: threads are counted in the index of those that have labels', async () => {
  // As autovacuum does; before, an index says too little to be read alone.
  await sql`vacuum analyze threads, labels`.execute(writer);
  const store = new NotificationStore(db, () => END, { ready: () => Promise.resolve() });
  const [{ n }] = (
    await sql<{ n: number }>`select count(*) as n from threads where label_set > 0 and head_id is not null`.execute(db)
  ).rows as [{ n: number }];
  for (const filter of [{}, { category: ['system'] }, { seen: false }, { from: END - DAY }]) {
    executed.length = 0;
    await store.facets({ latest: true, groupBy: 'instance', ...filter });
    const counted = executed.splice(0).filter(({ sql: one }) => one.includes('from labels l cross join threads t'));
    expect(counted).toHaveLength(1);
    const plan = await planOf(counted[0]!.sql, counted[0]!.parameters);
    // Its label sets are fewer than a thousand.
    expect(rowsRead(plan), JSON.stringify(plan)).toBeLessThan(n + 1000);
  }
});

it.each([
  ['walks through the newest for a word that many hold', 'title', true],
  ['collects and sorts all for a word that few hold', '777', false],
  ['collects and sorts all for a word that none holds', 'absent', false],
])('a search %s', async (_what, q, walks) => {
  const store = new NotificationStore(db, () => END, { ready: () => Promise.resolve() });
  for (const latest of [undefined, true]) {
    executed.length = 0;
    await store.list({ q, latest }, 20);
    const { sql: statement, parameters } = executed.splice(0).find(({ sql: one }) => one.includes('found_id'))!;
    expect(/order by .* \+ 0 desc/.test(statement)).toBe(!walks);
    if (walks) {
      const plan = await planOf(statement, parameters);
      expect(
        plan.Plans?.[0]?.['Plan Rows'],
        'it expects more than a page, of which it reads the first'
      ).toBeGreaterThan(20);
    }
  }
});

it('whether everything is indexed is known from one notification', async () => {
  const submit = (): Promise<never> => Promise.reject(new Error('everything is indexed'));
  const indexer = createTextIndexer(db, { submit, waiting: 0 });
  executed.length = 0;
  await indexer.ready();
  indexer.close();
  const plans = await Promise.all(
    executed.splice(0).map(({ sql: statement, parameters }) => planOf(statement, parameters))
  );
  expect(plans).toHaveLength(1);
  expect(rowsRead(plans[0]!)).toBeLessThan(50);
});

it('open threads and those found firing are read by indexes', async () => {
  executed.length = 0;
  await readOpen(db, ['grafana', 'gatus']);
  await readClosed(db);
  const plans = await Promise.all(
    executed.splice(0).map(({ sql: statement, parameters }) => planOf(statement, parameters))
  );
  expect(plans).toHaveLength(2);
  plans.forEach((plan) => expect(rowsRead(plan), JSON.stringify(plan)).toBeLessThan(MOST_READ));
});
