/** The node of a notification: another bridge. It is part of the key of a thread. platform/storage/schema.ts. */
import { type Kysely, sql } from 'kysely';

const NODE = "node text not null default ''";
/** The indexes hold only what has a node, so that an inbox without nodes pays nothing for them. */
export const NODES = [
  `alter table notifications add column ${NODE}`,
  'alter table notifications add column sent_ts integer',
  `alter table trash add column ${NODE}`,
  'alter table trash add column sent_ts integer',
  "create index notifications_node on notifications (node, ts, id) where node <> '' and muted = 0 and hidden = 0",
  `alter table sender_tokens add column ${NODE}`,
];
export const THREAD_NODES = [
  'create unique index threads_key on threads (correlation_id, dnp_name, node)',
  "create index threads_node on threads (node, head_ts, head_id) where node <> '' and head_id is not null",
];
export const NODE_OF_THREAD = `alter table threads add column ${NODE}`;

/** The key of threads is a constraint of the table, which SQLite cannot change: the table is copied. */
export async function addNodes(db: Kysely<unknown>): Promise<void> {
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  };
  const { rows } = await sql<{ sql: string }>`select sql from sqlite_master
    where type = 'index' and tbl_name = 'threads' and sql is not null`.execute(db);
  await run([
    ...NODES,
    `create table threads_with_node (
      id integer primary key,
      dnp_name text not null,
      correlation_id text not null,
      state text not null,
      opened_ts integer,
      closed_ts integer,
      last_ts integer not null,
      closed_by_hand integer not null,
      banner integer not null,
      head_id integer,
      head_ts integer,
      category text not null,
      priority integer not null,
      count integer not null,
      unseen integer not null,
      burst integer,
      ${NODE})`,
    `insert into threads_with_node select id, dnp_name, correlation_id, state, opened_ts, closed_ts, last_ts, closed_by_hand,
      banner, head_id, head_ts, category, priority, count, unseen, burst, '' from threads`,
    'drop table threads',
    'alter table threads_with_node rename to threads',
    ...rows.map((index) => index.sql),
    ...THREAD_NODES,
  ]);
}
