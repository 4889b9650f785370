/** Stores to transfer: one row of each kind of value in every table, and what a store contains. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { insertRows } from '../storage/bulk.ts';
import { isServer, migrate, openDatabase } from '../storage/database.ts';
import type { Database } from '../storage/engine.ts';
import { databasePath } from '../storage/sqlite/database.ts';
import type { NotificationRow, Schema } from '../storage/schema.ts';
import { indexText } from '../storage/textIndex.ts';
import { writeBackup } from './file.ts';
import type { Place } from './place.ts';
import { postgresPlace } from './postgres.ts';
import { restoreBackup, type RestorePlan } from './restore.ts';
import type { Value } from './snapshot.ts';
import { sqlitePlace } from './sqlite.ts';

export function folder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'nodebell-transfer-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const notification = (id: number, more: Partial<NotificationRow> = {}): NotificationRow => ({
  id,
  thread_id: id,
  ts: 1_700_000_000_000 + id,
  title: `Disk almost full ${id}`,
  body: '4.6 GB left on /',
  category: 'hardware',
  dnp_name: 'a.example.eth',
  priority: 2,
  status: 'triggered',
  status_given: 1,
  correlation_id: `c${id}`,
  is_banner: 0,
  banner: 0,
  seen: 0,
  muted: 0,
  hidden: 0,
  source: 'api',
  cta_title: null,
  cta_url: null,
  icon: null,
  errors: null,
  extra: null,
  ...more,
});

type Rows = { [T in keyof Schema]: Schema[T][] };

/** Rows of every table, in the order of the primary key; a new table is an error of types until it is here. */
export const SAMPLE: Rows = {
  notifications: [
    notification(1),
    notification(2, {
      title: '🔥 ñ 中文 \u2028 "quoted" \\ \n\t',
      body: 'x'.repeat(1024 * 1024),
      extra: '{"a":[1.5,null]}',
    }),
    notification(5, { title: '', body: '', icon: 'data:,', errors: '[]', seen: 1, hidden: 1 }),
  ],
  threads: [
    {
      id: 1,
      dnp_name: 'a.example.eth',
      correlation_id: 'c1',
      state: 'open',
      opened_ts: 1,
      closed_ts: null,
      last_ts: 2,
      closed_by_hand: 0,
      banner: 1,
      head_id: 1,
      head_ts: 1,
      category: 'hardware',
      priority: 2,
      count: 1,
      unseen: 1,
      burst: 1,
    },
  ],
  sources: [{ key: '["a.example.eth","hardware"]', recent: '[[1,1]]', burst: 1, ts: 1 }],
  bursts: [{ id: 1, name: 'HighCPU', dnp_name: 'a.example.eth', category: 'hardware', ts: 1 }],
  counts: [
    {
      scope: 0,
      span: 1,
      slot: 19_000,
      hidden: 0,
      muted: 0,
      seen: 0,
      category: 'hardware',
      dnp_name: 'a.example.eth',
      priority: 2,
      state: 'triggered',
      banner: 0,
      n: 3,
    },
  ],
  receipts: [{ scope: 's', key: 'ключ', hash: null, notification_id: 1, ts: 9_007_199_254_740_991 }],
  categories: [{ category: 'hardware', enabled: 0, ts: 5, file: null }],
  audit: [
    {
      id: 1,
      ts: 5,
      actor_kind: 'user',
      actor: 'ada',
      actor_key: 'org:1/user:u',
      address: null,
      action: 'token.create',
      object: 'd50e',
      before: null,
      after: '{"name":"backup job"}',
    },
  ],
  events: [{ id: 4, type: 'added', data: '{"ids":[1]}' }],
  trash: [
    { ...notification(3), deletion: 'd', expires_ts: 7, burst: null },
    { ...notification(4), deletion: 'd', expires_ts: 7, burst: 1 },
  ],
  series: [
    { name: 'arrivals', last: 0 },
    { name: 'audit', last: 1 },
    { name: 'event', last: 4 },
    { name: 'indexed', last: 5 },
    { name: 'notification', last: 5 },
    { name: 'thread', last: 5 },
  ],
  sender_tokens: [
    {
      id: 'd50e',
      name: 'backup job',
      hash: 'ab',
      packages: '[]',
      created_ts: 1,
      last_used_ts: null,
      revoked_ts: 2,
      file: null,
      last_used_from: null,
      previous_hash: null,
      previous_until_ts: null,
      previous_used_ts: null,
      previous_used_from: null,
    },
  ],
  packages: [
    {
      dnp_name: 'a.example.eth',
      revision: 'r',
      version: '1.0.0',
      type: 'service',
      dialect: 'd',
      manifest: '{"name": "a"}\r\n',
      notifications: null,
      compose: 'services: {}',
      targets: null,
      dashboards: '[]',
      files_dir: '/srv/a',
      origin_file: null,
      registered_ts: 1,
      registered_by: 'admin',
      updated_ts: 2,
    },
  ],
  package_approvals: [{ dnp_name: 'a', seq: 1, ts: 2, version: '1', message: 'm', approved_by: null }],
  package_history: [
    { dnp_name: 'a', seq: 1, ts: 2, action: 'registered', version: '1', from_version: null, done_by: null },
  ],
  settings: [
    {
      dnp_name: 'a',
      correlation_id: '',
      member: 'enabled',
      file: 'f',
      value: 1,
      shipped: null,
      subject: 's',
      ts: 1,
      set_by: 'x',
    },
    {
      dnp_name: 'a',
      correlation_id: 'c',
      member: 'threshold',
      file: '',
      value: 0.1,
      shipped: 1e-300,
      subject: null,
      ts: 1,
      set_by: null,
    },
  ],
  settings_history: [
    {
      id: 1,
      ts: 2,
      set_by: null,
      file: null,
      category: null,
      dnp_name: 'a',
      correlation_id: 'c',
      member: 'threshold',
      old_value: -1234.56789,
      new_value: 1.7976931348623157e308,
    },
  ],
  shipped_off: [{ dnp_name: 'a', correlation_id: 'c' }],
  synced_nodes: [{ dnp_name: 'a' }],
  readers: [
    { id: 1, key: 'k', first_ts: 1, last_ts: 2, watermark: 3 },
    { id: 7, key: 'l', first_ts: 1, last_ts: 2, watermark: 3 },
  ] as never,
  unread: [{ reader: 1, thread_id: 1, id: 1 }],
  arrivals: [
    { id: 1, thread_id: 9 },
    { id: 2, thread_id: 1 },
  ],
  thread_members: [{ thread_id: 1, kind: 4, id: 1 }],
  thread_repairs: [{ thread_id: 1, from_id: 1, restored: 0 }],
  retention: [{ file: '', policy: '{}', ts: 1, set_by: null }],
  arrival_marks: [{ ts: 3_600_000, last_id: 5 }],
  shared_state: [{ scope: 's', name: 'n', value: '{}', revision: 'r' }],
  store_backups: [{ created_ts: 1, file: '/b', bytes: 2, notifications: 3 }],
  deletions: [{ deletion: 'd', expires_ts: 7, restoring: 1 }],
};

/** The store at the address of a database: see openDatabase. */
export const placeAt = (address: string): Place =>
  isServer(address) ? postgresPlace(address) : sqlitePlace(path.dirname(address));

export const makeStore = (dir: string, rows?: Partial<Rows>, until?: string): Promise<void> =>
  makeStoreAt(databasePath(dir), rows, until);

/** Makes a store with these rows, or changes one. @param until its last migration */
export async function makeStoreAt(address: string, rows: Partial<Rows> = SAMPLE, until?: string): Promise<void> {
  const db = openDatabase(address);
  try {
    await migrate(db, until);
    await fillTables(db, rows);
  } finally {
    await db.destroy();
  }
}

async function fillTables(db: Database, rows: Partial<Rows>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('notifications').execute();
    await trx.updateTable('series').set({ last: 0 }).where('name', '=', 'indexed').execute();
    for (const table of Object.keys(rows) as (keyof Schema)[]) {
      await trx.deleteFrom(table).execute();
      for (const row of rows[table] ?? []) {
        await insertRows(trx, table, [row] as never);
      }
    }
    await trx.updateTable('series').set({ last: 0 }).where('name', '=', 'indexed').execute();
    while ((await indexText(trx, null)).result.more);
  });
}

/** Everything that a store contains, by table. */
export const contentOf = (place: Place): Promise<Record<string, Record<string, Value>[]>> =>
  place.snapshot(async (snapshot) => {
    const content: Record<string, Record<string, Value>[]> = {};
    for (const table of snapshot.tables) {
      content[table.name] = [];
      for await (const rows of snapshot.rows(table)) {
        for (const row of rows) {
          content[table.name]!.push(Object.fromEntries(table.columns.map((name, index) => [name, row[index]!])));
        }
      }
    }
    return content;
  });

export const ORIGIN = { bridge: '1.2.3', createdAt: '2026-11-21T02:00:00.000Z' };
const NOW = (): number => Date.parse('2026-11-22T13:05:00.000Z');

export const backUp = async (place: Place, file = path.join(folder(), 'b.jsonl.zst')): Promise<string> => {
  await place.snapshot((snapshot) => writeBackup(file, snapshot, ORIGIN));
  return file;
};

export async function restore(place: Place, file: string, approved = true) {
  let plan: RestorePlan | undefined;
  const approve = (given: RestorePlan) => Promise.resolve(((plan = given), approved));
  return { ...(await restoreBackup(place, file, { approve, now: NOW })), plan };
}

export async function used(rows?: Parameters<typeof makeStore>[1]): Promise<{ dir: string; place: Place }> {
  const dir = folder();
  await makeStore(dir, rows);
  return { dir, place: sqlitePlace(dir) };
}
